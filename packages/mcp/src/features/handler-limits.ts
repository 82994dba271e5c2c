import type { HandlerOptions } from '../decorators/index.js';
import type { HandlerHost } from '../discovery/index.js';
import { CLIENT_FEATURES, isClientFeature } from '../exchange/index.js';
import { MAX_TIMER_MS } from '../mcp.constants.js';
import { CallLimits } from '../pipeline/index.js';
import { definitionError } from './argument-schema.js';

/** @throws HandlerDefinitionException for a limit that could not be kept */
export function compileLimits(
  host: HandlerHost,
  name: string,
  { requires, timeoutMs, maxConcurrent }: HandlerOptions,
): CallLimits {
  checkCount(host, 'timeoutMs', timeoutMs, MAX_TIMER_MS);
  checkCount(host, 'maxConcurrent', maxConcurrent, Number.MAX_SAFE_INTEGER);
  const words: readonly unknown[] = requires ?? [];
  if (!words.every(isClientFeature)) {
    const unknown = words.find((word) => !isClientFeature(word));
    throw definitionError(
      host,
      `it requires ${JSON.stringify(unknown)}, which is no client capability`,
      `Use ${CLIENT_FEATURES.join(', ')}`,
    );
  }
  return new CallLimits(name, {
    ...(requires !== undefined && { requires }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxConcurrent !== undefined && { maxConcurrent }),
  });
}

function checkCount(
  host: HandlerHost,
  option: string,
  value: number | undefined,
  most: number,
): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= most)) return;
  throw definitionError(
    host,
    `its ${option} is ${String(value)}`,
    `Give an integer of 1 to ${most}`,
  );
}
