import type { HandlerOptions } from '../decorators/index.js';
import type { HandlerHost } from '../discovery/index.js';
import type { HandlerReplayOptions, MismatchPolicy, ReplayLimits } from '../replay/index.js';
import { definitionError } from './argument-schema.js';

const POLICIES: readonly (MismatchPolicy | undefined)[] = ['reject', 'restart', undefined];

/** @throws HandlerDefinitionException for what could not be kept */
export function compileReplay(
  host: HandlerHost,
  { ttlMs, onMismatch, once }: HandlerOptions,
  { maxAgeMs }: ReplayLimits,
): HandlerReplayOptions {
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs >= 1)) {
    throw definitionError(host, `its ttlMs is ${String(ttlMs)}`, 'Give an integer of at least 1');
  }
  if (ttlMs !== undefined && ttlMs > maxAgeMs) {
    throw definitionError(
      host,
      `its ttlMs of ${ttlMs} is longer than a conversation may last (replay.maxAgeMs: ${maxAgeMs})`,
      'Raise replay.maxAgeMs, or give less',
    );
  }
  if (!POLICIES.includes(onMismatch)) {
    throw definitionError(
      host,
      `its onMismatch is ${JSON.stringify(onMismatch)}`,
      'Use "reject" or "restart"',
    );
  }
  return {
    ...(ttlMs !== undefined && { ttlMs }),
    ...(onMismatch !== undefined && { onMismatch }),
    ...(once === true && { once }),
  };
}
