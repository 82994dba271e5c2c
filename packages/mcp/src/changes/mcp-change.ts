import { isJsonObject } from '../protocol/index.js';

/** What may have changed: a list, what one resource holds, or a thing of an extension. */
export type McpChangedThing =
  | { readonly type: 'tools' }
  | { readonly type: 'prompts' }
  | { readonly type: 'resources' }
  | { readonly type: 'resource'; readonly uri: string }
  | { readonly type: 'extension'; readonly extension: string; readonly key: string };

/** A list that may change. */
export type McpChangedList = Exclude<McpChangedThing['type'], 'resource' | 'extension'>;

/** A change, as it travels between instances; plain JSON. */
export type McpChange = McpChangedThing & {
  /** The server it belongs to: its `name`, and who it says it is. */
  readonly server: string;
};

const LISTS: ReadonlySet<unknown> = new Set<McpChangedList>(['tools', 'prompts', 'resources']);

/** Whether what a bus has delivered is a change: a broker may carry anything. */
export function isMcpChange(value: unknown): value is McpChange {
  if (!isJsonObject(value) || typeof value['server'] !== 'string') return false;
  const { type, uri, extension, key } = value;
  if (type === 'resource') return typeof uri === 'string';
  if (type === 'extension') return typeof extension === 'string' && typeof key === 'string';
  return LISTS.has(type);
}
