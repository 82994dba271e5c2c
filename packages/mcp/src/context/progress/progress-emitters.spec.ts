import { InvalidProgressException } from '../../exceptions/index.js';
import type { ProgressChannel } from './progress-channel.js';
import { AbsoluteProgress, CountingProgress, PercentageProgress } from './progress-emitters.js';

type Report = [progress: number, total: number | undefined, message: string | undefined];

class Recorder implements ProgressChannel {
  readonly reports: Report[] = [];

  send(...report: Report): void {
    this.reports.push(report);
  }
}

let channel: Recorder;

beforeEach(() => {
  channel = new Recorder();
});

describe('CountingProgress', () => {
  it('counts from 1, with or without words', () => {
    const progress = new CountingProgress(channel, 3);
    progress.next();
    progress.next('half');
    progress.next('');
    expect(channel.reports).toEqual([
      [1, 3, undefined],
      [2, 3, 'half'],
      [3, 3, ''],
    ]);
  });

  it('counts without a total, and beyond one', () => {
    new CountingProgress(channel).next();
    const progress = new CountingProgress(channel, 1);
    progress.next();
    progress.next();
    expect(channel.reports).toEqual([
      [1, undefined, undefined],
      [1, 1, undefined],
      [2, 1, undefined],
    ]);
  });
});

describe('AbsoluteProgress', () => {
  it('reports amounts, which may start anywhere and pass the total', () => {
    const progress = new AbsoluteProgress(channel, 10);
    progress.to(-5);
    progress.to(0, 'zero');
    progress.to(0.5);
    progress.to(1e12);
    expect(channel.reports).toEqual([
      [-5, 10, undefined],
      [0, 10, 'zero'],
      [0.5, 10, undefined],
      [1e12, 10, undefined],
    ]);
  });

  it.each([
    [1, 1],
    [1, 0],
    [0, -0],
    [-0, 0],
    [5, -5],
  ])('refuses, after %d, %d', (first, second) => {
    const progress = new AbsoluteProgress(channel);
    progress.to(first);
    expect(() => progress.to(second)).toThrow(InvalidProgressException);
    expect(() => progress.to(second)).toThrow(
      new Error(
        `Invalid progress: it must strictly increase with each notification: previous ${first}, got ${second}. ` +
          'Report only what is new.',
      ),
    );
    expect(channel.reports).toEqual([[first, undefined, undefined]]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses %d',
    (value) => {
      const progress = new AbsoluteProgress(channel);
      expect(() => progress.to(value)).toThrow(
        new Error(`Invalid progress: ${value} is not a number. Report finite numbers.`),
      );
      expect(channel.reports).toEqual([]);
    },
  );

  it('goes on after a refused report, from the last one that was sent', () => {
    const progress = new AbsoluteProgress(channel);
    progress.to(2);
    expect(() => progress.to(1)).toThrow(InvalidProgressException);
    progress.to(3);
    expect(channel.reports.map(([value]) => value)).toEqual([2, 3]);
  });

  it('is independent of other emitters', () => {
    new AbsoluteProgress(channel).to(5);
    new AbsoluteProgress(channel).to(1);
    expect(channel.reports.map(([value]) => value)).toEqual([5, 1]);
  });
});

describe('PercentageProgress', () => {
  it('reports fractions of 1, ends included', () => {
    const progress = new PercentageProgress(channel);
    for (const fraction of [0, 0.25, 1]) progress.to(fraction);
    expect(channel.reports).toEqual([
      [0, 1, undefined],
      [0.25, 1, undefined],
      [1, 1, undefined],
    ]);
  });

  it.each([-0.01, 1.01, 50, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses %d',
    (fraction) => {
      const progress = new PercentageProgress(channel);
      expect(() => progress.to(fraction, 'x')).toThrow(InvalidProgressException);
      expect(() => progress.to(fraction)).toThrow(
        new Error(
          `Invalid progress: the fraction complete must be within 0 and 1, got ${fraction}. Divide by the total.`,
        ),
      );
      expect(channel.reports).toEqual([]);
    },
  );

  it('refuses NaN, and what does not increase', () => {
    const progress = new PercentageProgress(channel);
    expect(() => progress.to(Number.NaN)).toThrow('Invalid progress: NaN is not a number');
    progress.to(0.5);
    expect(() => progress.to(0.5)).toThrow('previous 0.5, got 0.5');
    expect(channel.reports).toHaveLength(1);
  });
});

describe('the total of an emitter', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])('cannot be %d', (total) => {
    for (const make of [CountingProgress, AbsoluteProgress]) {
      expect(() => new make(channel, total)).toThrow(InvalidProgressException);
      expect(() => new make(channel, total)).toThrow(
        new Error(`Invalid progress: the total ${total} is not a number. Leave it out.`),
      );
    }
  });

  it.each([0, 0.5, -1])('can be %d', (total) => {
    new AbsoluteProgress(channel, total).to(1);
    expect(channel.reports).toEqual([[1, total, undefined]]);
  });
});
