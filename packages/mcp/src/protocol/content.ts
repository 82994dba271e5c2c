import type { Icon } from './implementation.js';
import type { MetaObject } from './meta.js';

/** Who says something in a conversation with a model. */
export type Role = 'user' | 'assistant';

/** Hints about who content is for and how much it matters. */
export interface Annotations {
  audience?: Role[];
  /** 0 (optional) to 1 (effectively required). */
  priority?: number;
  /** ISO 8601. */
  lastModified?: string;
}

/** Text. */
export interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** A picture. */
export interface ImageContent {
  type: 'image';
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** A sound. */
export interface AudioContent {
  type: 'audio';
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** A link to a resource, for the client to read or to subscribe to. */
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

/** What a resource holds, in the middle of other content. */
export interface EmbeddedResource {
  type: 'resource';
  resource: ResourceContents;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** What a resource holds, as text. */
export interface TextResourceContents {
  uri: string;
  mimeType?: string;
  text: string;
  _meta?: MetaObject;
}

/** What a resource holds, as bytes. */
export interface BlobResourceContents {
  uri: string;
  mimeType?: string;
  /** Base64. */
  blob: string;
  _meta?: MetaObject;
}

/** What a resource holds. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** One piece of what a tool returns or a prompt says. */
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
