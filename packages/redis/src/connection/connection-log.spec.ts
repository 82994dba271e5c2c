import { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import type { Redis } from 'ioredis';
import { logConnection, whyLost } from './connection-log.js';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('The log of a connection', () => {
  const redis = Object.assign(new EventEmitter(), {
    options: { host: 'redis.example', port: 6379, password: 'secret' },
  }) as unknown as Redis;
  let said: string[];

  beforeAll(() => logConnection(redis));
  beforeEach(() => {
    said = [];
    const keep = (text: unknown): void => void said.push(String(text));
    jest.spyOn(Logger.prototype, 'error').mockImplementation(keep);
    jest.spyOn(Logger.prototype, 'log').mockImplementation(keep);
  });
  afterEach(() => void jest.restoreAllMocks());

  it.each(['first', 'next'])(
    'says once that it is lost, and once that it is back, the %s time',
    () => {
      for (let tries = 0; tries < 3; tries += 1) redis.emit('error', refused);
      expect(whyLost(redis)).toMatchObject({ fact: 'cannot be reached (ECONNREFUSED)' });
      redis.emit('ready');
      redis.emit('ready');
      expect(whyLost(redis)).toBeUndefined();
      expect(said).toEqual([
        'Redis at redis.example:6379 cannot be reached (ECONNREFUSED). Start it, or mend the address it is looked for at; ' +
          'calls work again as soon as it is back.',
        'Redis at redis.example:6379 is back.',
      ]);
    },
  );

  it('does not say that it is there when it was never lost', () => {
    redis.emit('ready');
    expect(said).toEqual([]);
  });
});
