import type { Icon } from './implementation.js';
import type { MetaObject } from './meta.js';

export type Role = 'user' | 'assistant';

/** Hints about who content is for and how much it matters. */
export interface Annotations {
  audience?: Role[];
  /** 0 (optional) to 1 (effectively required). */
  priority?: number;
  /** ISO 8601. */
  lastModified?: string;
}

export interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface ImageContent {
  type: 'image';
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface AudioContent {
  type: 'audio';
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface ResourceLink {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  icons?: Icon[];
  /** Bytes. */
  size?: number;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface EmbeddedResource {
  type: 'resource';
  resource: ResourceContents;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface TextResourceContents {
  uri: string;
  mimeType?: string;
  text: string;
  _meta?: MetaObject;
}

export interface BlobResourceContents {
  uri: string;
  mimeType?: string;
  /** Base64. */
  blob: string;
  _meta?: MetaObject;
}

export type ResourceContents = TextResourceContents | BlobResourceContents;

export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** True when `value` has the members its `type` promises. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Record<string, unknown>;
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string';
    case 'image':
    case 'audio':
      return typeof block['data'] === 'string' && typeof block['mimeType'] === 'string';
    case 'resource_link':
      return typeof block['uri'] === 'string' && typeof block['name'] === 'string';
    case 'resource':
      return isResourceContents(block['resource']);
    default:
      return false;
  }
}

/** True when `value` names a uri and carries text or a blob. */
export function isResourceContents(value: unknown): value is ResourceContents {
  if (typeof value !== 'object' || value === null) return false;
  const contents = value as Record<string, unknown>;
  return (
    typeof contents['uri'] === 'string' &&
    (typeof contents['text'] === 'string' || typeof contents['blob'] === 'string')
  );
}
