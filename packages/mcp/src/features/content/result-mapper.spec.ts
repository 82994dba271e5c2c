import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { InternalErrorException, InvalidResultException } from '../../exceptions/index.js';
import type { ResolvedOptions } from '../../options/index.js';
import { ResultMapper } from './result-mapper.js';

const mapper = (exposeErrors: boolean): ResultMapper =>
  new ResultMapper({ exposeErrors } as ResolvedOptions);

describe('ResultMapper', () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);

  afterEach(() => logged.mockClear());
  afterAll(() => logged.mockRestore());

  it.each<[string, () => string | Promise<string>]>([
    ['at once', () => 'x'],
    ['later', async () => 'x'],
  ])('gives what was made %s', async (_, map) => {
    expect(await mapper(false).run(map)).toBe('x');
    expect(logged).not.toHaveBeenCalled();
  });

  const error = new InvalidResultException('open', 'n is a bigint');
  const fail = (): never => {
    throw error;
  };

  it.each<[string, () => never | Promise<never>]>([
    ['thrown', fail],
    ['rejected', async () => fail()],
  ])('logs what was %s, and masks it', async (_, map) => {
    const refused = (async () => mapper(false).run(map))();
    await expect(refused).rejects.toThrow(InternalErrorException);
    await expect(refused).rejects.toThrow(new Error('Internal error'));
    expect(logged).toHaveBeenCalledWith(error);
  });

  it('shows it where errors are exposed', async () => {
    expect(() => mapper(true).run(fail)).toThrow(new Error(error.message));
  });
});
