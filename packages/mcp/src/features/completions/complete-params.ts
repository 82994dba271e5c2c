import { InvalidParamsException } from '../../exceptions/index.js';
import {
  isJsonObject,
  type PromptReference,
  type ResourceTemplateReference,
} from '../../protocol/index.js';

/** What is to be completed. */
export interface CompletionRequest {
  readonly ref: PromptReference | ResourceTemplateReference;
  /** Name of the argument. */
  readonly argument: string;
  /** What has been typed of it. */
  readonly value: string;
  /** The other arguments the client has sent. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** @throws InvalidParamsException when a member is missing or has the wrong type */
export function completionRequest(params: Record<string, unknown>): CompletionRequest {
  const { ref, argument, context = {} } = params;
  if (!isReference(ref)) {
    throw new InvalidParamsException(
      'params.ref must be { type: "ref/prompt", name } or { type: "ref/resource", uri }.',
    );
  }
  if (
    !isJsonObject(argument) ||
    typeof argument['name'] !== 'string' ||
    typeof argument['value'] !== 'string'
  ) {
    throw new InvalidParamsException(
      'params.argument must be an object with a name and a value, both strings.',
    );
  }
  const { name, value } = argument;
  return { ref, argument: name, value, arguments: others(context, name) };
}

function isReference(ref: unknown): ref is CompletionRequest['ref'] {
  if (!isJsonObject(ref)) return false;
  switch (ref['type']) {
    case 'ref/prompt':
      return typeof ref['name'] === 'string';
    case 'ref/resource':
      return typeof ref['uri'] === 'string';
    default:
      return false;
  }
}

/** What the client says of the argument itself is its `value`. */
function others(context: unknown, argument: string): Record<string, string> {
  const args = isJsonObject(context) ? (context['arguments'] ?? {}) : undefined;
  if (!isJsonObject(args)) {
    throw new InvalidParamsException(
      'params.context must be an object, and its arguments one of strings.',
    );
  }
  const entries = Object.entries(args).filter(([name]) => name !== argument);
  const odd = entries.find(([, value]) => typeof value !== 'string');
  if (odd !== undefined) {
    throw new InvalidParamsException(
      `params.context.arguments[${JSON.stringify(odd[0])}] must be a string.`,
    );
  }
  return Object.fromEntries(entries) as Record<string, string>;
}
