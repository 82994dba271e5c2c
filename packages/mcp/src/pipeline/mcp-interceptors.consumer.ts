import type { NestInterceptor } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { McpArgIndex } from '../mcp.constants.js';
import { ReplayInterceptor } from '../replay/index.js';
import type { HandlerCall } from './handler-call.js';

type Intercept = InterceptorsConsumer['intercept'];

/**
 * Nest's consumer of interceptors, which plays the engine itself: it is the innermost, and right around
 * the handler. The Observables of interceptors cost more than the engine does, and where an application
 * has no interceptors nobody would use them. What the handler returns reaches the engine as it is: an
 * Observable is let go of when the call is cancelled, and a promise waited for.
 */
export class McpInterceptorsConsumer extends InterceptorsConsumer {
  /** Those of the application, by all of them. */
  private readonly others = new WeakMap<readonly NestInterceptor[], NestInterceptor[]>();

  override intercept(
    ...[interceptors, args, instance, callback, next, type]: Parameters<Intercept>
  ) {
    if (!(interceptors.at(-1) instanceof ReplayInterceptor)) {
      return super.intercept(interceptors, args, instance, callback, next, type);
    }
    const call = args[McpArgIndex.Call] as HandlerCall;
    const others = this.withoutEngine(interceptors);
    return others.length === 0
      ? call.play(next)
      : super.intercept(others, args, instance, callback, () => call.play(next), type);
  }

  private withoutEngine(interceptors: NestInterceptor[]): NestInterceptor[] {
    const known = this.others.get(interceptors);
    if (known !== undefined) return known;
    const others = interceptors.slice(0, -1);
    this.others.set(interceptors, others);
    return others;
  }
}
