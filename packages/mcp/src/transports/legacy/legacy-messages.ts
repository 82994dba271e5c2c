import { InvalidRequestException } from '../../exceptions/index.js';
import type { JsonRpcNotification, JsonRpcRequest, LegacyRevision } from '../../protocol/index.js';
import { classify } from '../message.js';
import type { ClientResponse } from './live-asks.js';

/** How many messages a batch may have. */
const MAX_BATCH = 100;

/** What came in one body. */
export interface LegacyMessages {
  readonly isBatch: boolean;
  readonly requests: readonly JsonRpcRequest[];
  readonly notifications: readonly JsonRpcNotification[];
  readonly responses: readonly ClientResponse[];
}

/**
 * Sorts what a client has sent. Lists of messages were part of revision 2025-03-26 only.
 * @throws InvalidRequestException
 */
export function readMessages(value: unknown, revision: LegacyRevision): LegacyMessages {
  const isBatch = Array.isArray(value);
  const values: readonly unknown[] = isBatch ? value : [value];
  if (isBatch) checkBatch(values, revision);
  const requests: JsonRpcRequest[] = [];
  const notifications: JsonRpcNotification[] = [];
  const responses: ClientResponse[] = [];
  for (const one of values) {
    const message = classify(one);
    switch (message.type) {
      case 'request':
        requests.push(message.request);
        break;
      case 'notification':
        notifications.push(message.notification);
        break;
      case 'response':
        responses.push(one as ClientResponse);
    }
  }
  return { isBatch, requests, notifications, responses };
}

function checkBatch({ length }: readonly unknown[], revision: LegacyRevision): void {
  if (revision !== '2025-03-26') {
    throw new InvalidRequestException(
      `Batches are not part of revision ${revision}. Send one message.`,
    );
  }
  if (length === 0 || length > MAX_BATCH) {
    throw new InvalidRequestException(`A batch has 1 to ${MAX_BATCH} messages.`);
  }
}
