import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage until of these only as many live as are held, or gives up. A WeakRef holds its target
 * until the turn is over, and the engine what it is optimising in the background for some more; what is
 * held for good survives every turn.
 */
export async function collectGarbage(traces: readonly WeakRef<object>[], held = 0): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turns = 0; turns < 20; turns += 1) {
    await setImmediate();
    collect();
    if (traces.filter((trace) => trace.deref() !== undefined).length <= held) return;
  }
}
