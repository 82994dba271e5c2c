import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  HandlerBusyException,
  InvalidParamsException,
  UnsavedEntriesException,
} from '../exceptions/index.js';
import type { Result } from '../protocol/index.js';
import { EntrySaver, isOfTheMoment, type McpPlayedRound, playedRound } from './played-round.js';

const failing = (error: unknown): (() => Promise<McpPlayedRound>) =>
  jest.fn<() => Promise<McpPlayedRound>>().mockRejectedValue(error);

describe('A round that was played without a request', () => {
  it('is completed with what would have been sent', async () => {
    const day = new Date(0);
    const result = { resultType: 'complete', day, nothing: undefined } as unknown as Result;
    expect(await playedRound(async () => ({ type: 'completed', result }))).toStrictEqual({
      type: 'completed',
      result: { resultType: 'complete', day: '1970-01-01T00:00:00.000Z' },
    });
  });

  it.each<McpPlayedRound>([
    { type: 'suspended', inputRequests: { 'roots-1': { method: 'roots/list' } } },
    { type: 'unplayed', cause: 'detach()' },
    { type: 'failed', error: { code: 1, message: 'no' } },
  ])('is read as it ended: $type', async (played) => {
    expect(await playedRound(async () => played)).toBe(played);
  });

  it.each<[string, Error]>([
    ['busy', new HandlerBusyException('pay', 1)],
    ['without its store', new UnsavedEntriesException('pay', new Error('no store'))],
  ])('is to be played again where the instance was %s', async (_, cause) => {
    expect(isOfTheMoment(cause)).toBe(true);
    expect(await playedRound(failing(cause))).toEqual({ type: 'unplayed', cause });
  });

  it('fails with an error of the protocol as it stands', async () => {
    const error = new InvalidParamsException('no such account');
    expect(isOfTheMoment(error)).toBe(false);
    expect(await playedRound(failing(error))).toEqual({
      type: 'failed',
      error: error.toJsonRpcError(),
    });
  });

  it('fails without data that could not be written down', async () => {
    const error = new InvalidParamsException('too much', { cents: 10n });
    expect(await playedRound(failing(error))).toEqual({
      type: 'failed',
      error: { code: error.code, message: 'too much' },
    });
  });

  it.each<[string, unknown]>([
    ['an error of any other kind', new Error('password of the database')],
    ['something that is no error', 'password of the database'],
  ])('is masked, and logged, where it fails with %s', async (_, error) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const played = await playedRound(failing(error));
    expect(played).toMatchObject({ type: 'failed', error: { code: -32603 } });
    expect(JSON.stringify(played)).not.toContain('password');
    expect(logged.mock.calls).toEqual([[error]]);
    logged.mockRestore();
  });

  it('is masked where its result is no JSON', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const result = { resultType: 'complete', count: 1n } as unknown as Result;
    const played = await playedRound(async () => ({ type: 'completed', result }));
    expect(played).toMatchObject({ type: 'failed', error: { code: -32603 } });
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});

describe('EntrySaver', () => {
  it('has nothing to wait for where nothing is kept', () => {
    const saver = new EntrySaver(() => undefined);
    expect(saver.save([])).toBeUndefined();
    expect(saver.lost).toBeUndefined();
  });

  it('remembers that something was lost, though more was kept since', async () => {
    const cause = new Error('no store');
    const answers = [Promise.reject(cause), Promise.resolve()];
    const saver = new EntrySaver(() => answers.shift());
    const first = saver.save([]);
    await expect(first).rejects.toBe(cause);
    await saver.save([]);
    expect(saver.lost).toEqual({ cause });
  });
});
