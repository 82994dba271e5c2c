import {
  type AudioContent,
  type ContentBlock,
  type ImageContent,
  isContentBlock,
  type Role,
  type TextContent,
} from './content.js';
import { isJsonObject, type JsonObject } from './json.js';
import type { MetaObject } from './meta.js';
import type { Tool } from './tools.js';

/** A model's wish to call a tool. */
export interface ToolUseContent {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
  _meta?: MetaObject;
}

/** What came of a tool a model called. */
export interface ToolResultContent {
  type: 'tool_result';
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: MetaObject;
}

/** One piece of a message to or from a model. */
export type SamplingContent =
  TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message of a conversation with a model. */
export interface SamplingMessage {
  role: Role;
  content: SamplingContent | SamplingContent[];
  _meta?: MetaObject;
}

/** Which model the server would like; the client decides. Priorities are 0 to 1. */
export interface ModelPreferences {
  hints?: { name?: string }[];
  costPriority?: number;
  speedPriority?: number;
  intelligencePriority?: number;
}

/**
 * A request for a completion by the client's model.
 * Deprecated in revision 2026-07-28 (SEP-2577), and still functional.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 */
export interface CreateMessageRequestParams {
  messages: SamplingMessage[];
  maxTokens: number;
  modelPreferences?: ModelPreferences;
  systemPrompt?: string;
  includeContext?: 'none' | 'thisServer' | 'allServers';
  temperature?: number;
  stopSequences?: string[];
  metadata?: JsonObject;
  tools?: Tool[];
  toolChoice?: { mode?: 'auto' | 'required' | 'none' };
}

/** A question to the client’s model, as it travels in an `input_required` result. */
export interface CreateMessageRequest {
  method: 'sampling/createMessage';
  params: CreateMessageRequestParams;
}

/** What the client's model answered. */
export interface CreateMessageResult extends SamplingMessage {
  model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or the client's own. */
  stopReason?: string;
}

/** True when `value` has the members its `type` promises, of those that a sampling message may hold. */
export function isSamplingContent(value: unknown): value is SamplingContent {
  if (!isJsonObject(value)) return false;
  switch (value['type']) {
    case 'text':
    case 'image':
    case 'audio':
      return isContentBlock(value);
    case 'tool_use':
      return (
        typeof value['id'] === 'string' &&
        typeof value['name'] === 'string' &&
        isJsonObject(value['input'])
      );
    case 'tool_result':
      return typeof value['toolUseId'] === 'string' && Array.isArray(value['content']);
    default:
      return false;
  }
}
