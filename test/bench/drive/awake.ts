/**
 * Does work without ever letting this process sleep. A server that writes to a process that sleeps pays
 * for waking it, a slow server for each of its answers and a fast one, whose driver always has work,
 * for none: their ratio would tell of the driver.
 */
export async function awake<T>(work: () => Promise<T>): Promise<T> {
  let busy = true;
  const spin = (): void => {
    if (busy) setImmediate(spin);
  };
  spin();
  try {
    return await work();
  } finally {
    busy = false;
  }
}
