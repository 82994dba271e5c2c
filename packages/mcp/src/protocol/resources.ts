import type { Annotations, ResourceContents } from './content.js';
import type { Icon } from './implementation.js';
import type { MetaObject } from './meta.js';
import type { CacheableResult, PaginatedResult } from './results.js';

/** A resource as `resources/list` shows it. */
export interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  icons?: Icon[];
  annotations?: Annotations;
  /** Bytes. */
  size?: number;
  _meta?: MetaObject;
}

/** A template as `resources/templates/list` shows it. */
export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  icons?: Icon[];
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** The answer to `resources/list`. */
export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  resources: Resource[];
}

/** The answer to `resources/templates/list`. */
export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  resourceTemplates: ResourceTemplate[];
}

/** The answer to `resources/read`. */
export interface ReadResourceResult extends CacheableResult {
  contents: ResourceContents[];
}
