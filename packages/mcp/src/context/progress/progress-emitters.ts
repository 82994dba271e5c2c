import { InvalidProgressException } from '../../exceptions/index.js';
import type { ProgressChannel } from './progress-channel.js';

/**
 * Keeps what the protocol demands of progress: it only ever increases. Holds with or without a
 * listening client, so that a mistake shows in every test.
 */
abstract class ProgressEmitter {
  private last = Number.NEGATIVE_INFINITY;

  /** @internal */
  constructor(
    private readonly channel: ProgressChannel,
    private readonly total?: number,
  ) {
    if (total !== undefined && !Number.isFinite(total)) {
      throw new InvalidProgressException(`the total ${total} is not a number`, 'Leave it out');
    }
  }

  protected report(progress: number, message?: string): void {
    if (!Number.isFinite(progress)) {
      throw new InvalidProgressException(`${progress} is not a number`, 'Report finite numbers');
    }
    if (progress <= this.last) {
      throw new InvalidProgressException(
        `it must strictly increase with each notification: previous ${this.last}, got ${progress}`,
        'Report only what is new',
      );
    }
    this.last = progress;
    this.channel.send(progress, this.total, message);
  }
}

/** Counts: 1, 2, 3 … */
export class CountingProgress extends ProgressEmitter {
  private count = 0;

  /** Reports one more. */
  next(message?: string): void {
    this.report((this.count += 1), message);
  }
}

/** Reports amounts in the author's own unit. */
export class AbsoluteProgress extends ProgressEmitter {
  /** @throws InvalidProgressException when `progress` is not above the last report */
  to(progress: number, message?: string): void {
    this.report(progress, message);
  }
}

/** Reports the fraction that is done, out of 1. */
export class PercentageProgress extends ProgressEmitter {
  /** @internal */
  constructor(channel: ProgressChannel) {
    super(channel, 1);
  }

  /** @param fraction 0 to 1, above the last report */
  to(fraction: number, message?: string): void {
    if (fraction < 0 || fraction > 1) {
      throw new InvalidProgressException(
        `the fraction complete must be within 0 and 1, got ${fraction}`,
        'Divide by the total',
      );
    }
    this.report(fraction, message);
  }
}
