import {
  isJsonObject,
  type JsonRpcNotification,
  type LegacyRevision,
  McpMethod,
  MetaKey,
  type Result,
} from '../../protocol/index.js';
import { isSince } from './legacy-client.js';

type Members = Record<string, unknown>;

/** A result in the words of an earlier revision: without what that one does not know. */
export function legacyResult(method: string, result: Result, revision: LegacyRevision): Members {
  const members = withoutServerMeta(withoutEnvelope(result));
  switch (method) {
    case McpMethod.ToolsCall:
      return toolResult(members, revision);
    case McpMethod.ToolsList:
      return mapList(members, 'tools', legacyTool);
    case McpMethod.PromptsGet:
      return mapList(members, 'messages', (message) => ({
        ...message,
        content: isJsonObject(message['content'])
          ? legacyContent(message['content'], revision)
          : message['content'],
      }));
    default:
      return members;
  }
}

/** A notification in the words of an earlier revision, which has no subscriptions to name. */
export function legacyNotification(notification: JsonRpcNotification): JsonRpcNotification {
  const { params } = notification;
  if (params === undefined) return notification;
  const kept = withoutServerMeta(params);
  const { params: _, ...rest } = notification;
  return Object.keys(kept).length === 0 ? rest : { ...rest, params: kept };
}

function withoutEnvelope(result: Result): Members {
  const { resultType: _1, ttlMs: _2, cacheScope: _3, ...members } = result as Members & Result;
  return members;
}

function withoutServerMeta(members: Members): Members {
  const { _meta: meta, ...rest } = members;
  if (!isJsonObject(meta)) return members;
  const kept = Object.entries(meta).filter(
    ([name]) => name !== MetaKey.ServerInfo && name !== MetaKey.SubscriptionId,
  );
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

/** Structured content was an object before it could be any JSON; a text says the same. */
function toolResult(members: Members, revision: LegacyRevision): Members {
  const { structuredContent, ...rest } = members;
  const result = isJsonObject(structuredContent) ? members : rest;
  return mapList(result, 'content', (block) => legacyContent(block, revision));
}

function legacyTool(tool: Members): Members {
  const { outputSchema, ...rest } = tool;
  return isJsonObject(outputSchema) && outputSchema['type'] === 'object' ? tool : rest;
}

/** Links came with revision 2025-06-18; before, their uri is all a client can be told. */
function legacyContent(block: Members, revision: LegacyRevision): Members {
  if (block['type'] !== 'resource_link' || isSince(revision, '2025-06-18')) return block;
  return { type: 'text', text: String(block['uri']) };
}

function mapList(members: Members, name: string, map: (item: Members) => Members): Members {
  const list = members[name];
  if (!Array.isArray(list)) return members;
  return { ...members, [name]: list.map((item) => map(item as Members)) };
}
