import { InvalidRequestException, ParseErrorException } from '../exceptions/index.js';
import { classify, readMessage } from './message.js';

const REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'a' } };

describe('readMessage', () => {
  it('reads a request', () => {
    expect(readMessage(JSON.stringify(REQUEST))).toEqual({ type: 'request', request: REQUEST });
  });

  it('reads a request without params, and with space around it', () => {
    expect(readMessage('\n {"jsonrpc":"2.0","id":"a","method":"x"} ')).toEqual({
      type: 'request',
      request: { jsonrpc: '2.0', id: 'a', method: 'x' },
    });
  });

  it.each(['', 'a', '7', 0, -7, Number.MAX_SAFE_INTEGER])('reads the id %p', (id) => {
    const message = readMessage(JSON.stringify({ ...REQUEST, id }));
    expect(message.type === 'request' && message.request.id).toBe(id);
  });

  it('reads a notification', () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} };
    expect(readMessage(JSON.stringify(notification))).toEqual({
      type: 'notification',
      notification,
    });
  });

  it.each([{ result: {} }, { error: { code: 1, message: 'x' } }, { result: null }])(
    'reads a response: %j',
    (members) => {
      const response = JSON.stringify({ jsonrpc: '2.0', id: 1, ...members });
      expect(readMessage(response)).toEqual({ type: 'response' });
    },
  );

  it.each<[string, string]>([
    ['', 'it is empty'],
    [' ', '1 characters were read'],
    ['{"password":"hunter2"', '21 characters were read'],
    ['hunter2', '7 characters were read'],
    ['\ufeff{}', '3 characters were read'],
    ["{'a':1}", '7 characters were read'],
    ['{"a":1}{"b":2}', '14 characters were read'],
    ['{"a":NaN}', '9 characters were read'],
  ])('refuses %j without repeating it', (body, detail) => {
    expect(() => readMessage(body)).toThrow(ParseErrorException);
    expect(() => readMessage(body)).toThrow(new Error(`The message is not valid JSON: ${detail}.`));
  });

  it('changes no prototype', () => {
    readMessage('{"jsonrpc":"2.0","id":1,"method":"x","__proto__":{"polluted":1}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('classify', () => {
  it('hands on the request itself', () => {
    const message = classify(REQUEST);
    expect(message.type === 'request' && message.request).toBe(REQUEST);
  });

  const NOT_ONE = 'This is not a JSON-RPC 2.0 message.';

  it.each<[unknown, string]>([
    [[], 'Batches are not part of the protocol. Send one message.'],
    [[REQUEST], 'Batches are not part of the protocol. Send one message.'],
    [null, NOT_ONE],
    [undefined, NOT_ONE],
    ['{}', NOT_ONE],
    [5, NOT_ONE],
    [true, NOT_ONE],
    [{}, NOT_ONE],
    [{ ...REQUEST, jsonrpc: '1.0' }, NOT_ONE],
    [{ ...REQUEST, jsonrpc: 2 }, NOT_ONE],
    [{ id: 1, method: 'x' }, NOT_ONE],
    [{ jsonrpc: '2.0', id: 1 }, 'The message has no method.'],
    [{ jsonrpc: '2.0', id: 1, method: 5 }, 'The message has no method.'],
    [{ jsonrpc: '2.0', id: 1, method: null }, 'The message has no method.'],
    [{ ...REQUEST, result: {} }, 'The message is a request and a response.'],
    [{ ...REQUEST, error: {} }, 'The message is a request and a response.'],
    [{ ...REQUEST, params: null }, 'params must be an object.'],
    [{ ...REQUEST, params: [] }, 'params must be an object.'],
    [{ ...REQUEST, params: 'x' }, 'params must be an object.'],
    [{ jsonrpc: '2.0', method: 'x', params: [] }, 'params must be an object.'],
    [{ ...REQUEST, id: null }, 'The id must be a string or an integer.'],
    [{ ...REQUEST, id: 1.5 }, 'The id must be a string or an integer.'],
    [{ ...REQUEST, id: 2 ** 53 }, 'The id must be a string or an integer.'],
    [{ ...REQUEST, id: true }, 'The id must be a string or an integer.'],
    [{ ...REQUEST, id: {} }, 'The id must be a string or an integer.'],
    [{ ...REQUEST, id: [1] }, 'The id must be a string or an integer.'],
  ])('refuses %j', (value, message) => {
    expect(() => classify(value)).toThrow(InvalidRequestException);
    expect(() => classify(value)).toThrow(new Error(message));
  });

  it.each<[unknown, unknown]>([
    [{ ...REQUEST, params: [] }, 1],
    [{ ...REQUEST, id: 'a', params: null }, 'a'],
    [{ jsonrpc: '2.0', id: 0 }, 0],
    [{ jsonrpc: '2.0', id: '', method: 5 }, ''],
    [{ ...REQUEST, id: null }, undefined],
    [{ ...REQUEST, id: 1.5, params: [] }, undefined],
    [{ jsonrpc: '2.0', method: 'x', params: [] }, undefined],
    [{ ...REQUEST, result: {} }, 1],
    [[REQUEST], undefined],
  ])('refuses %j with the id the answer must carry: %j', (value, id) => {
    expect(() => classify(value)).toThrow(expect.objectContaining({ requestId: id }) as Error);
  });
});
