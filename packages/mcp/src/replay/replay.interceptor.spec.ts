import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { lastValueFrom, of } from 'rxjs';
import { ReplayInterceptor, type ReplayHost } from './replay.interceptor.js';

function context(type: string, host: ReplayHost): ExecutionContext {
  const created = new ExecutionContextHost([{}, {}, host]);
  created.setType(type);
  return created;
}

describe('ReplayInterceptor', () => {
  const interceptor = new ReplayInterceptor();

  it('plays the round around the rest of the pipeline', async () => {
    const order: string[] = [];
    const host: ReplayHost = {
      play: async (proceed) => {
        order.push('round begins');
        const value = await proceed();
        order.push('round ends');
        return `${String(value)}, played`;
      },
    };
    const next: CallHandler = {
      handle: () => {
        order.push('handler');
        return of('first', 'last');
      },
    };
    expect(await lastValueFrom(interceptor.intercept(context('mcp', host), next))).toBe(
      'last, played',
    );
    expect(order).toEqual(['round begins', 'handler', 'round ends']);
  });

  it('steps aside on other transports', () => {
    const answer = of('http');
    const host: ReplayHost = {
      play: () => {
        throw new Error('not for http');
      },
    };
    expect(interceptor.intercept(context('http', host), { handle: () => answer })).toBe(answer);
  });
});
