import type { NestInterceptor } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { isObservable } from 'rxjs';
import type { McpExchange } from '../exchange/index.js';
import { McpArgIndex } from '../mcp.constants.js';
import { ReplayInterceptor } from '../replay/index.js';
import type { HandlerCall } from './handler-call.js';
import { lastValue } from './values/index.js';

type Intercept = InterceptorsConsumer['intercept'];

/**
 * Nest's consumer of interceptors, for calls that come over MCP.
 *
 * 1. An Observable is read where the handler returns it. Nest wraps whatever a handler returns in
 *    Observables of its own, from outside of which one that has not given anything yet looks like a
 *    promise; but an Observable is let go of when the call is cancelled, and a promise is waited for, as
 *    the work behind it cannot be stopped.
 * 2. The engine is played without them: where the application has no interceptors, nobody would use them.
 */
export class McpInterceptorsConsumer extends InterceptorsConsumer {
  /** Without the engine, which is the innermost. */
  private readonly others = new WeakMap<readonly NestInterceptor[], NestInterceptor[]>();

  override intercept(
    ...[interceptors, args, instance, callback, next, type]: Parameters<Intercept>
  ) {
    const read = async (): Promise<unknown> => {
      const returned = await next();
      return isObservable(returned)
        ? lastValue(returned, args[McpArgIndex.Exchange] as McpExchange)
        : returned;
    };
    if (!(interceptors.at(-1) instanceof ReplayInterceptor)) {
      return super.intercept(interceptors, args, instance, callback, read, type);
    }
    const call = args[McpArgIndex.Call] as HandlerCall;
    const play = (): Promise<unknown> => call.play(read);
    const users = this.users(interceptors);
    return users.length === 0
      ? play()
      : super.intercept(users, args, instance, callback, play, type);
  }

  private users(interceptors: NestInterceptor[]): NestInterceptor[] {
    const known = this.others.get(interceptors);
    if (known !== undefined) return known;
    const users = interceptors.slice(0, -1);
    this.others.set(interceptors, users);
    return users;
  }
}
