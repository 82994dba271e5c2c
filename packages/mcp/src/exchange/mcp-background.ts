import { McpNotificationMethod, type ProgressNotificationParams } from '../protocol/index.js';
import type { McpOrigin } from './mcp-origin.js';

/** What work goes on with that has no request, or none any more. */
export interface McpBackground {
  /** Ends the work when it aborts. */
  readonly signal: AbortSignal;
  /** Told of progress in place of the client. */
  progress(progress: Omit<ProgressNotificationParams, 'progressToken'>): void;
}

/** Nobody else hears of it. */
const PROGRESS_TOKEN = 'background';

/** The origin of such work. @param facts what is known of the request that it had */
export function backgroundOrigin(
  background: McpBackground,
  facts: Pick<McpOrigin, 'transport' | 'headers' | 'request' | 'rehearsed'>,
): McpOrigin {
  const { signal } = background;
  return {
    ...facts,
    progressToken: PROGRESS_TOKEN,
    get cancelled() {
      return signal.aborted;
    },
    onCancel(listener) {
      if (signal.aborted) listener(signal.reason);
      else signal.addEventListener('abort', () => listener(signal.reason), { once: true });
    },
    notify({ method, params }) {
      if (method !== McpNotificationMethod.Progress) return false;
      const { progressToken: _, ...rest } = params as unknown as ProgressNotificationParams;
      background.progress(rest);
      return true;
    },
    drop: () => undefined,
  };
}
