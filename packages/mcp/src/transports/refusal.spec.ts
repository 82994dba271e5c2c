import type { LoggerService } from '@nestjs/common';
import { InvalidRequestException, ParseErrorException } from '../exceptions/index.js';
import { refusal, refusedId } from './refusal.js';

const logged: unknown[] = [];
const logger = { error: (error: unknown) => logged.push(error) } as unknown as LoggerService;

describe('A refusal', () => {
  it('says what the error says, with the id', () => {
    const { httpStatus, body } = refusal(new InvalidRequestException('Too large.', 413), 7, logger);
    expect(httpStatus).toBe(413);
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32600, message: 'Too large.' },
    });
    expect(logged).toEqual([]);
  });

  it('masks what nobody expected, and logs it', () => {
    const bug = new Error('password: hunter2');
    const { httpStatus, body } = refusal(bug, undefined, logger);
    expect(httpStatus).toBe(500);
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      error: { code: -32603, message: 'Internal error' },
    });
    expect(logged).toEqual([bug]);
  });

  it('knows the id of a message that had one', () => {
    expect(refusedId(new InvalidRequestException('No.', 400, 'a'))).toBe('a');
    expect(refusedId(new InvalidRequestException('No.'))).toBeUndefined();
    expect(refusedId(new ParseErrorException('it is empty'))).toBeUndefined();
  });
});
