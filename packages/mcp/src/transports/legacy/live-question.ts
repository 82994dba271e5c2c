import { randomUUID } from 'node:crypto';
import { ClientRefusalException } from '../../exceptions/index.js';
import {
  type ElicitRequestFormParams,
  type ElicitRequestUrlParams,
  type CreateMessageRequestParams,
  type InputRequest,
  type LegacyRevision,
  type PrimitiveSchema,
  type SamplingMessage,
} from '../../protocol/index.js';
import { isSince } from './legacy-client.js';

/** A question as a request of its own. */
export interface LiveQuestion {
  readonly method: InputRequest['method'];
  readonly params?: object;
}

/**
 * A question in the words of an earlier revision.
 * @throws ClientRefusalException for one that revision has no words for
 */
export function liveQuestion(
  key: string,
  request: InputRequest,
  revision: LegacyRevision,
): LiveQuestion {
  const { method } = request;
  switch (method) {
    case 'elicitation/create':
      return { method, params: elicitation(key, request.params, revision) };
    case 'sampling/createMessage':
      return { method, params: sampling(key, request.params, revision) };
    case 'roots/list':
      return { method };
  }
}

function elicitation(
  key: string,
  params: ElicitRequestFormParams | ElicitRequestUrlParams,
  revision: LegacyRevision,
): object {
  if (params.mode === 'url') {
    need(key, 'pages to open', revision, '2025-11-25');
    return { ...params, elicitationId: randomUUID() };
  }
  need(key, 'forms', revision, '2025-06-18');
  if (isSince(revision, '2025-11-25')) return params;
  const { mode: _, message, requestedSchema } = params;
  const properties = Object.entries(requestedSchema.properties).map(
    ([name, schema]) => [name, earlierSchema(key, name, schema, revision)] as const,
  );
  return {
    message,
    requestedSchema: { ...requestedSchema, properties: Object.fromEntries(properties) },
  };
}

/** Titles of choices stood beside them, and one was all that could be chosen. */
function earlierSchema(
  key: string,
  name: string,
  schema: PrimitiveSchema,
  revision: LegacyRevision,
): object {
  if (schema.type === 'array') {
    throw new ClientRefusalException(
      key,
      `${JSON.stringify(name)} takes several choices, which forms of revision ${revision} have not. Use a client of 2025-11-25 or later.`,
    );
  }
  if (!('oneOf' in schema)) return schema;
  const { oneOf, ...rest } = schema;
  return {
    ...rest,
    enum: oneOf.map((choice) => choice.const),
    enumNames: oneOf.map(({ title }) => title),
  };
}

/** A message had one piece of content before it could have several. */
function sampling(
  key: string,
  params: CreateMessageRequestParams,
  revision: LegacyRevision,
): object {
  if (isSince(revision, '2025-11-25')) return params;
  if (params.tools !== undefined) need(key, 'tools of a model', revision, '2025-11-25');
  const messages = params.messages.flatMap(({ content, ...message }): SamplingMessage[] =>
    [content].flat().map((piece) => ({ ...message, content: piece })),
  );
  return { ...params, messages };
}

function need(key: string, what: string, revision: LegacyRevision, since: LegacyRevision): void {
  if (isSince(revision, since)) return;
  throw new ClientRefusalException(
    key,
    `revision ${revision} has no ${what}. Use a client of ${since} or later.`,
  );
}
