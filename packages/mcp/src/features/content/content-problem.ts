import { isJsonObject } from '../../protocol/index.js';
import { jsonLoss } from './json-loss.js';
import { jsonProblem } from './json-problem.js';

const CONTENT_TYPES = ['text', 'image', 'audio', 'resource_link', 'resource'];
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** True for what its `type` declares to be content, however broken it is. */
export function claimsContent(value: unknown): boolean {
  return isJsonObject(value) && CONTENT_TYPES.includes(value['type'] as string);
}

/** What keeps a value from being a content block, in words; `undefined` when nothing does. */
export function contentProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return `it is ${kindOf(value)}, not a content block`;
  return typeProblem(value) ?? extrasProblem(value);
}

function typeProblem(block: Record<string, unknown>): string | undefined {
  switch (block['type']) {
    case 'text':
      return textProblem(block, 'text');
    case 'image':
    case 'audio':
      return base64Problem(block, 'data') ?? textProblem(block, 'mimeType');
    case 'resource_link':
      return textProblem(block, 'uri') ?? textProblem(block, 'name');
    case 'resource': {
      const problem = resourceContentsProblem(block['resource']);
      return problem === undefined ? undefined : `of its "resource", ${problem}`;
    }
    default:
      return `its type ${JSON.stringify(block['type'])} is none of ${CONTENT_TYPES.join(', ')}`;
  }
}

/** What keeps a value from being the contents of a resource, in words. */
export function resourceContentsProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return `it is ${kindOf(value)}, not the contents of a resource`;
  const { text, blob } = value;
  if (text === undefined && blob === undefined) return 'it has neither "text" nor "blob"';
  if (text !== undefined && blob !== undefined) return 'it has both "text" and "blob"';
  return (
    textProblem(value, 'uri') ??
    (value['mimeType'] === undefined ? undefined : textProblem(value, 'mimeType')) ??
    (blob === undefined ? textProblem(value, 'text') : base64Problem(value, 'blob')) ??
    extrasProblem(value)
  );
}

function textProblem(value: Record<string, unknown>, member: string): string | undefined {
  return typeof value[member] === 'string' ? undefined : memberProblem(value, member, 'text');
}

function base64Problem(value: Record<string, unknown>, member: string): string | undefined {
  const data = value[member];
  if (typeof data === 'string' && data.length % 4 === 0 && BASE64.test(data)) return undefined;
  return memberProblem(value, member, 'base64');
}

function memberProblem(value: Record<string, unknown>, member: string, wanted: string): string {
  return value[member] === undefined
    ? `its "${member}" is missing`
    : `its "${member}" is ${kindOf(value[member])}, not ${wanted}`;
}

/** What authors seldom write, and what no check of the protocol would find until it is serialised. */
function extrasProblem(value: Record<string, unknown>): string | undefined {
  const { _meta, annotations } = value;
  for (const [member, extra] of Object.entries({ _meta, annotations })) {
    if (extra === undefined) continue;
    if (!isJsonObject(extra)) return `its "${member}" is ${kindOf(extra)}, not an object`;
    const problem = jsonProblem(extra, member) ?? jsonLoss(extra, member);
    if (problem !== undefined) return problem.fact;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'text' : `a value of type ${typeof value}`;
}
