import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { MCP_CONTEXT_TYPE, McpArgIndex } from '../mcp.constants.js';

/** A call in Nest's pipeline that can play its round. */
export interface ReplayHost {
  /**
   * Plays the round around the rest of the pipeline; resolves with what interceptors outside see.
   * @param proceed enters the rest of the pipeline; resolves with what the handler returned
   */
  play(proceed: () => Promise<unknown>): Promise<unknown>;
}

/**
 * Hosts the replay engine in Nest's pipeline.
 *
 * 1. It is the innermost interceptor, so that guards run before any state is opened, and the user's
 *    interceptors and filters see values and never the suspension signal.
 * 2. It keeps nothing: the engine comes with the call, so one instance serves every application.
 * 3. The rest of the pipeline is entered and subscribed inside the round, which is what lets a lazy
 *    Observable ask questions.
 * 4. On other transports (a controller's method may be a handler too) it steps aside.
 */
export class ReplayInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType<string>() !== MCP_CONTEXT_TYPE) return next.handle();
    const host = context.getArgByIndex<ReplayHost>(McpArgIndex.Call);
    return from(host.play(() => lastValueFrom(next.handle())));
  }
}
