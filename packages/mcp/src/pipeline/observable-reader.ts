import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { isObservable } from 'rxjs';
import type { McpExchange } from '../exchange/index.js';
import { McpArgIndex } from '../mcp.constants.js';
import { lastValue } from './values/index.js';

type Intercept = InterceptorsConsumer['intercept'];

/**
 * Nest's consumer of interceptors, which reads an Observable where the handler returns it. Nest wraps
 * whatever a handler returns in Observables of its own, from outside of which one that has not given
 * anything yet looks like a promise; but an Observable is let go of when the call is cancelled, and a
 * promise is waited for, as the work behind it cannot be stopped.
 */
export class ObservableReader extends InterceptorsConsumer {
  override intercept(
    ...[interceptors, args, instance, callback, next, type]: Parameters<Intercept>
  ) {
    const read = async (): Promise<unknown> => {
      const returned = await next();
      return isObservable(returned)
        ? lastValue(returned, args[McpArgIndex.Exchange] as McpExchange)
        : returned;
    };
    return super.intercept(interceptors, args, instance, callback, read, type);
  }
}
