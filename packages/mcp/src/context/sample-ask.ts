import { InvalidAskException } from '../exceptions/index.js';
import type { ClientFeature } from '../exchange/index.js';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  JsonValue,
} from '../protocol/index.js';
import { type Ask, fingerprint } from '../replay/index.js';
import { askLabel } from './ask-label.js';
import type { AskOptions } from './mcp-elicitor.js';
import { checkSampleMessages } from './sample-messages.js';

/** What a client must declare to be asked. */
export function sampleFeatures(params: CreateMessageRequestParams): ClientFeature[] {
  const { tools, toolChoice, includeContext = 'none' } = params;
  return [
    'sampling',
    ...(tools !== undefined || toolChoice !== undefined ? (['sampling.tools'] as const) : []),
    ...(includeContext !== 'none' ? (['sampling.context'] as const) : []),
  ];
}

/** Makes a question to the client's model. @throws InvalidAskException when nobody could answer it */
export function sampleAsk(
  params: CreateMessageRequestParams,
  options: AskOptions,
): Ask<CreateMessageResult> {
  if (params.messages.length === 0 || !(params.maxTokens > 0)) {
    throw new InvalidAskException(
      'A request for sampling has no messages, or no tokens to answer with',
      'Give at least one message, and maxTokens above 0',
    );
  }
  checkSampleMessages(params.messages);
  const request = { method: 'sampling/createMessage', params } as const;
  return {
    kind: 'sample',
    ...(options.key !== undefined && { key: options.key }),
    label: askLabel(firstText(params)),
    fingerprint: fingerprint({ kind: 'sample', params } as unknown as JsonValue),
    request,
    restate: () => request,
    judge: (answer) => ({ accepted: true, outcome: answer }),
    revive: (outcome) => structuredClone(outcome) as unknown as CreateMessageResult,
  };
}

function firstText({ messages }: CreateMessageRequestParams): string {
  const text = messages
    .flatMap(({ content }) => content)
    .find((content) => content.type === 'text');
  return text?.text ?? 'sampling';
}
