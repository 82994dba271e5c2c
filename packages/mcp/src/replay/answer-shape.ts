import { RequestStateRejectedException } from '../exceptions/index.js';
import { isJsonObject, isSamplingContent, type JsonValue } from '../protocol/index.js';
import { MAX_JSON_DEPTH } from '../schema/index.js';
import type { AskKind } from './ask.js';

type Answer = Readonly<Record<string, unknown>>;

/** What an answer of each kind is called, and how to give one. */
const KINDS: Readonly<
  Record<AskKind, { name: string; mend: string; check: (key: string, answer: Answer) => JsonValue }>
> = {
  elicit: {
    name: 'an elicitation result',
    mend: 'Answer with {"action": "accept", "content": {…}}, {"action": "decline"} or {"action": "cancel"}.',
    check: checkElicitResult,
  },
  sample: {
    name: 'a sampling result',
    mend: 'Answer with {"role": "assistant", "content": {…}, "model": "…"}.',
    check: checkCreateMessageResult,
  },
  roots: {
    name: 'a list of roots',
    mend: 'Answer with {"roots": [{"uri": "file:///…"}]}.',
    check: checkListRootsResult,
  },
};

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel'];
const ROLES: readonly unknown[] = ['user', 'assistant'];

/** Handlers ask on with what a model has answered, so half of what a question may have. */
const MAX_DEPTH = MAX_JSON_DEPTH / 2;

/**
 * Holds an answer against the shape its kind of question has on the wire; the form judges content
 * later. Returns the answer reduced to the members the protocol defines.
 * @throws RequestStateRejectedException `answer_malformed` or `answer_wrong_kind`
 */
export function checkAnswerShape(kind: AskKind, key: string, answer: unknown): JsonValue {
  if (!isJsonObject(answer)) throw malformed(key, 'is not an object');
  const { name, mend, check } = KINDS[kind];
  const looksLike = kindOf(answer);
  if (looksLike !== undefined && looksLike !== kind) {
    throw new RequestStateRejectedException(
      'answer_wrong_kind',
      `inputResponses[${JSON.stringify(key)}] must carry ${name}: that is what was asked. ${mend}`,
      { key },
    );
  }
  return check(key, answer);
}

/** The kind of question an answer would fit, by the members that no other kind has. */
function kindOf(answer: Answer): AskKind | undefined {
  if ('action' in answer) return 'elicit';
  if ('roots' in answer) return 'roots';
  return 'role' in answer || 'model' in answer ? 'sample' : undefined;
}

function checkElicitResult(key: string, { action, content }: Answer): JsonValue {
  if (!ACTIONS.includes(action)) {
    throw malformed(key, 'has no "action" of "accept", "decline" or "cancel"');
  }
  if (action !== 'accept') return { action: action as string };
  if (content === undefined || content === null) return { action: 'accept', content: {} };
  if (!isJsonObject(content)) throw malformed(key, 'has a "content" that is not an object');
  for (const [name, value] of Object.entries(content)) {
    if (!isFormValue(value)) {
      throw malformed(
        key,
        `has a content property ${JSON.stringify(name)} that is not a string, finite number, boolean or list of strings`,
      );
    }
  }
  return { action: 'accept', content: content as JsonValue };
}

function checkCreateMessageResult(key: string, answer: Answer): JsonValue {
  const { role, content, model, stopReason } = answer;
  if (!ROLES.includes(role)) throw malformed(key, 'has no "role" of "user" or "assistant"');
  if (typeof model !== 'string') throw malformed(key, 'does not name its "model"');
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  if (!blocks.every(isSamplingContent)) {
    throw malformed(
      key,
      'has a "content" that is neither a whole content block nor a list of them',
    );
  }
  if (isDeeper(content, MAX_DEPTH)) {
    throw malformed(key, `has a "content" nested more than ${MAX_DEPTH} levels deep`);
  }
  if (holdsInfinity(content)) {
    throw malformed(key, 'has a "content" with a number too large to hold');
  }
  if (stopReason !== undefined && typeof stopReason !== 'string') {
    throw malformed(key, 'has a "stopReason" that is not a string');
  }
  return {
    role: role as string,
    content: content as JsonValue,
    model,
    ...(stopReason !== undefined && { stopReason }),
  };
}

function checkListRootsResult(key: string, { roots }: Answer): JsonValue {
  if (!Array.isArray(roots)) throw malformed(key, 'has no list of "roots"');
  return {
    roots: roots.map((root: unknown) => {
      if (!isJsonObject(root) || !isFileUri(root['uri'])) {
        throw malformed(key, 'has a root without a "uri" of a file');
      }
      const { uri, name } = root;
      return { uri: uri, ...(typeof name === 'string' && { name }) };
    }),
  };
}

/** Handlers take roots for folders: the protocol knows no others. */
function isFileUri(uri: unknown): uri is string {
  return typeof uri === 'string' && URL.canParse(uri) && new URL(uri).protocol === 'file:';
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity);
}

function isFormValue(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    // What JSON cannot write down would be another answer when it is read again.
    Number.isFinite(value) ||
    typeof value === 'boolean' ||
    (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}

function malformed(key: string, fact: string): RequestStateRejectedException {
  return new RequestStateRejectedException(
    'answer_malformed',
    `inputResponses[${JSON.stringify(key)}] ${fact}. Repeat the call with a well-formed answer.`,
    { key },
  );
}
