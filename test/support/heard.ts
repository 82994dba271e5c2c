/** Keeps what it hears. */
export class Heard<T> {
  readonly all: T[] = [];
  private readonly arrivals: (() => void)[] = [];

  readonly listen = (message: T): void => {
    this.all.push(message);
    for (const resolve of this.arrivals.splice(0)) resolve();
  };

  /** All that was heard, as soon as it is so much. */
  async next(count: number): Promise<readonly T[]> {
    while (this.all.length < count) {
      await new Promise<void>((resolve) => this.arrivals.push(resolve));
    }
    return this.all;
  }
}
