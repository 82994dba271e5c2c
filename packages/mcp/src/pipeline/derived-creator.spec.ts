import { jest } from '@jest/globals';
import type { ExternalContextCreator } from '@nestjs/core';
import { lastValueFrom, of } from 'rxjs';
import { derivedCreator } from './derived-creator.js';

type Read = (args: unknown[], ...carried: unknown[]) => Promise<void>;

describe('The creator of pipelines', () => {
  const ofNest = {
    createPipesFn: jest.fn(() => null),
    transformToResult: jest.fn((result: never) => lastValueFrom(result)),
  };
  const creator = derivedCreator(ofNest as unknown as ExternalContextCreator);
  const param = (index: number, extractValue: unknown, pipes: unknown[] = []): never =>
    ({ index, extractValue, pipes }) as never;

  it('reads parameters without pipes from what is carried, and waits for those that come later', async () => {
    const asked: string[] = [];
    const read = creator.createPipesFn(
      [],
      [
        param(2, (call: string) => {
          asked.push(call);
          return Promise.resolve('late');
        }),
        param(0, (_: string, exchange: string) => {
          asked.push(exchange);
          return 'now';
        }),
      ],
    ) as Read;
    const args: unknown[] = [null, null, null];
    const done = read(args, 'call', 'exchange');
    expect(asked).toEqual(['call', 'exchange']);
    expect(args).toEqual(['now', null, null]);
    await done;
    expect(args).toEqual(['now', null, 'late']);
  });

  it('waits for nothing where all of them are there', () => {
    const args: unknown[] = [null];
    const read = creator.createPipesFn([], [param(0, () => 1)]) as Read;
    expect(read(args)).toBeUndefined();
    expect(args).toEqual([1]);
    expect(creator.createPipesFn([], [])).toBeNull();
  });

  it('fails with what a parameter fails with', async () => {
    const read = creator.createPipesFn([], [param(0, () => Promise.reject(new Error('x')))]);
    await expect((read as Read)([null])).rejects.toThrow('x');
  });

  it.each<[string, unknown[], unknown[]]>([
    ['every parameter', [{}], []],
    ['one of them', [], [{}]],
  ])('leaves them to Nest where a pipe looks at %s', (_, pipes, own) => {
    ofNest.createPipesFn.mockClear();
    const params = [param(0, () => 1), param(1, () => 2, own)];
    creator.createPipesFn(pipes as never, params);
    expect(ofNest.createPipesFn).toHaveBeenCalledWith(pipes, params);
  });

  it('leaves results that are Observables to Nest, and no others', async () => {
    expect(await creator.transformToResult(of(1, 2))).toBe(2);
    expect(creator.transformToResult('plain')).toBe('plain');
    expect(ofNest.transformToResult).toHaveBeenCalledTimes(1);
  });
});
