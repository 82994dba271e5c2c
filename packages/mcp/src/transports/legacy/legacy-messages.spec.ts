import { InvalidRequestException } from '../../exceptions/index.js';
import { LEGACY_REVISIONS, type LegacyRevision } from '../../protocol/index.js';
import { readMessages } from './legacy-messages.js';

const REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/initialized' };
const RESULT = { jsonrpc: '2.0', id: 'ask-1', result: { roots: [] } };
const ERROR = { jsonrpc: '2.0', id: 'ask-2', error: { code: -1, message: 'No' } };
const NONE = { isBatch: false, requests: [], notifications: [], responses: [] };

function batch(length: number): object[] {
  return Array.from({ length }, (_, id) => ({ ...REQUEST, id }));
}

describe('one message of a client of an earlier revision', () => {
  it.each(
    LEGACY_REVISIONS.flatMap((revision) =>
      (
        [
          [REQUEST, { requests: [REQUEST] }],
          [NOTIFICATION, { notifications: [NOTIFICATION] }],
          [RESULT, { responses: [RESULT] }],
          [ERROR, { responses: [ERROR] }],
        ] as const
      ).map(([message, sorted]) => [revision, message, sorted] as const),
    ),
  )('is read (%s): %j', (revision, message, sorted) => {
    expect(readMessages(message, revision)).toEqual({ ...NONE, ...sorted });
  });

  it.each([undefined, null, 5, 'x', {}, { ...REQUEST, jsonrpc: '1.0' }, { ...REQUEST, id: 1.5 }])(
    'is refused where it is none: %j',
    (value) => {
      expect(() => readMessages(value, '2025-11-25')).toThrow(InvalidRequestException);
    },
  );
});

describe('a batch', () => {
  it('of a client of 2025-03-26 is sorted, each kind in its order', () => {
    const second = { ...REQUEST, id: 2 };
    expect(readMessages([RESULT, REQUEST, NOTIFICATION, second, ERROR], '2025-03-26')).toEqual({
      isBatch: true,
      requests: [REQUEST, second],
      notifications: [NOTIFICATION],
      responses: [RESULT, ERROR],
    });
  });

  it.each([1, 100])('may have %d messages', (length) => {
    const messages = batch(length);
    expect(readMessages(messages, '2025-03-26')).toEqual({
      ...NONE,
      isBatch: true,
      requests: messages,
    });
  });

  it.each([0, 101])('may not have %d messages', (length) => {
    expect(() => readMessages(batch(length), '2025-03-26')).toThrow(
      new InvalidRequestException('A batch has 1 to 100 messages.'),
    );
  });

  it.each<LegacyRevision>(['2025-11-25', '2025-06-18'])('is not part of %s', (revision) => {
    expect(() => readMessages([REQUEST], revision)).toThrow(
      new InvalidRequestException(
        `Batches are not part of revision ${revision}. Send one message.`,
      ),
    );
  });

  it.each([null, {}, 'x', [REQUEST], { ...REQUEST, params: [] }])(
    'is refused as a whole where one in it is no message: %j',
    (value) => {
      expect(() => readMessages([REQUEST, value], '2025-03-26')).toThrow(InvalidRequestException);
    },
  );
});
