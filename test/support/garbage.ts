import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Takes what nobody holds. A WeakRef holds its target until the turn is over. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  await setImmediate();
  (runInNewContext('gc') as () => void)();
}
