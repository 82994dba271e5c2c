import type { InputRequest, RequestedSchema } from '@dacapo/mcp';

/** A question that a handler has asked. */
export interface AskedQuestion {
  /** `elicit-1`, or the author's own. */
  readonly key: string;
  /** In which round it was asked, from 1; asked again, it has a later one. */
  readonly round: number;
  /** As it travelled. */
  readonly request: InputRequest;
  /** The words the user sees; empty for roots, which nobody sees. */
  readonly message: string;
  /** Of a form. */
  readonly schema: RequestedSchema | undefined;
}

/** The questions of one round. */
export function askedQuestions(
  requests: { readonly [key: string]: InputRequest },
  round: number,
): AskedQuestion[] {
  return Object.entries(requests).map(([key, request]) => ({
    key,
    round,
    request,
    message: messageOf(request),
    schema: schemaOf(request),
  }));
}

function messageOf(request: InputRequest): string {
  switch (request.method) {
    case 'elicitation/create':
      return request.params.message;
    case 'sampling/createMessage':
      return JSON.stringify(request.params.messages);
    case 'roots/list':
      return '';
  }
}

function schemaOf(request: InputRequest): RequestedSchema | undefined {
  return request.method === 'elicitation/create' && request.params.mode !== 'url'
    ? request.params.requestedSchema
    : undefined;
}
