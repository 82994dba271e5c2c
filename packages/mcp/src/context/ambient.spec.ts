import { InvalidProgressException, OutsideHandlerException } from '../exceptions/index.js';
import { AmbientClientLog } from './ambient-client-log.js';
import { AmbientElicitor } from './ambient-elicitor.js';
import { AmbientProgressSource } from './ambient-progress-source.js';
import { contextStorage, currentContext } from './context.storage.js';
import type { ElicitAnswer } from './elicit-answer.js';
import type { MrtrContext } from './mrtr.context.js';
import { AbsoluteProgress, CountingProgress, PercentageProgress } from './progress/index.js';

const CHANNEL = { send: () => undefined };

/** Stands for the context of a handler, and tells what it was asked. */
class Running {
  readonly asked: unknown[][] = [];
  readonly totals: unknown[] = [];
  readonly logged: unknown[][] = [];
  readonly log = {
    isEnabled: (level: string) => level === 'error',
    log: (...message: unknown[]) => this.logged.push(message) > 0,
  };

  constructor(readonly name: string) {}

  async elicit(...question: unknown[]): Promise<ElicitAnswer<object>> {
    this.asked.push(question);
    return { action: 'accept', content: { by: this.name } };
  }

  countingProgress(total?: number): CountingProgress {
    this.totals.push(total);
    return new CountingProgress(CHANNEL, total);
  }

  absoluteProgress(total?: number): AbsoluteProgress {
    this.totals.push(total);
    return new AbsoluteProgress(CHANNEL, total);
  }

  percentageProgress(): PercentageProgress {
    return new PercentageProgress(CHANNEL);
  }
}

function within<T>(running: Running, work: () => T): T {
  return contextStorage.run(running as unknown as MrtrContext, work);
}

const elicitor = new AmbientElicitor();
const progress = new AmbientProgressSource();
const log = new AmbientClientLog();
contextStorage.want();

const FORM = (form: { string(name: 'a'): never }): never => form.string('a');

describe('outside a handler', () => {
  const outside = (operation: string): Error =>
    new Error(
      `${operation} was called where no handler is running. Call it within the awaited flow of a running ` +
        '@McpTool, @McpPrompt or @McpResource method, and await it.',
    );

  it('elicit() rejects and says where it belongs', async () => {
    const asked = elicitor.elicit('Who?', (form) => form.string('a'));
    await expect(asked).rejects.toThrow(OutsideHandlerException);
    await expect(asked).rejects.toThrow(outside('elicit()'));
  });

  it.each([
    ['countingProgress()', () => progress.countingProgress()],
    ['absoluteProgress()', () => progress.absoluteProgress(5)],
    ['percentageProgress()', () => progress.percentageProgress()],
    ['work()', () => currentContext('work()')],
  ])('%s throws and says where it belongs', (operation, work) => {
    expect(work).toThrow(OutsideHandlerException);
    expect(work).toThrow(outside(operation));
  });

  it('nothing is logged, and nothing fails', () => {
    expect(log.error('lost')).toBe(false);
    expect(log.isEnabled('emergency')).toBe(false);
  });

  it('stays outside when a handler has run before', () => {
    within(new Running('a'), () => progress.countingProgress());
    expect(() => progress.countingProgress()).toThrow(OutsideHandlerException);
  });
});

describe('within a handler', () => {
  it('elicit() asks the context that runs, with everything it was given', async () => {
    const running = new Running('a');
    const answer = await within(running, () =>
      elicitor.elicit('Who?', FORM as never, { key: 'who' }),
    );
    expect(answer).toEqual({ action: 'accept', content: { by: 'a' } });
    expect(running.asked).toEqual([['Who?', FORM, { key: 'who' }]]);
  });

  it('elicit() asks at once, so that questions keep the order of the calls', () => {
    const running = new Running('a');
    within(running, () => {
      void elicitor.elicit('first', FORM as never);
      void elicitor.elicit('second', FORM as never);
      expect(running.asked.map(([message]) => message)).toEqual(['first', 'second']);
    });
  });

  it('handlers that run at once keep apart, after they have awaited too', async () => {
    const runs = [new Running('a'), new Running('b')];
    const handle = async (): Promise<unknown> => {
      await new Promise((resolve) => setImmediate(resolve));
      return elicitor.elicit('Who?', FORM as never);
    };
    const answers = await Promise.all(runs.map((running) => within(running, handle)));
    expect(answers).toEqual([
      { action: 'accept', content: { by: 'a' } },
      { action: 'accept', content: { by: 'b' } },
    ]);
  });

  it('logs go to the context that runs, each with its level', () => {
    const running = new Running('a');
    within(running, () => {
      expect(log.error('lost', 'db')).toBe(true);
      expect(log.debug({ a: 1 })).toBe(true);
      expect([log.isEnabled('error'), log.isEnabled('debug')]).toEqual([true, false]);
    });
    expect(running.logged).toEqual([
      ['error', 'lost', 'db'],
      ['debug', { a: 1 }, undefined],
    ]);
  });

  it('progress comes from the context that runs, with its total', () => {
    const running = new Running('a');
    within(running, () => {
      expect(progress.countingProgress(3)).toBeInstanceOf(CountingProgress);
      expect(progress.countingProgress()).toBeInstanceOf(CountingProgress);
      expect(progress.absoluteProgress(0)).toBeInstanceOf(AbsoluteProgress);
      expect(progress.percentageProgress()).toBeInstanceOf(PercentageProgress);
      expect(() => progress.absoluteProgress(Number.NaN)).toThrow(InvalidProgressException);
    });
    expect(running.totals).toEqual([3, undefined, 0, Number.NaN]);
  });
});
