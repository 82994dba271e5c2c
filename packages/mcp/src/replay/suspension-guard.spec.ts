import { EventEmitter } from 'node:events';
import { InputRequiredException } from './suspension.js';
import { installSuspensionGuard } from './suspension-guard.js';

class Source extends EventEmitter {
  readonly warnings: string[] = [];

  emitWarning(_: string, type: string): void {
    this.warnings.push(type);
  }

  reject(reason: unknown, promise: Promise<unknown> = Promise.resolve()): void {
    this.emit('unhandledRejection', reason, promise);
  }

  handle(promise: Promise<unknown>): void {
    this.emit('rejectionHandled', promise);
  }
}

describe('installSuspensionGuard', () => {
  it('lets a suspension pass', () => {
    const source = new Source();
    installSuspensionGuard(source);
    expect(() => source.reject(new InputRequiredException())).not.toThrow();
  });

  it('throws any other reason, which ends the process as Node would', () => {
    const source = new Source();
    installSuspensionGuard(source);
    expect(() => source.reject(new Error('a bug'))).toThrow('a bug');
  });

  it('leaves other reasons to a listener of the application', () => {
    const source = new Source();
    const seen: unknown[] = [];
    source.on('unhandledRejection', (reason) => seen.push(reason));
    installSuspensionGuard(source);
    const bug = new Error('a bug');
    expect(() => source.reject(bug)).not.toThrow();
    expect(seen).toEqual([bug]);
  });

  it('warns of no suspension that is awaited after all', () => {
    const source = new Source();
    installSuspensionGuard(source);
    const branch = Promise.resolve();
    source.reject(new InputRequiredException(), branch);
    source.handle(branch);
    expect(source.warnings).toEqual([]);
  });

  it('warns of any other promise, as Node would', () => {
    const source = new Source();
    installSuspensionGuard(source);
    source.handle(Promise.resolve());
    expect(source.warnings).toEqual(['PromiseRejectionHandledWarning']);
  });

  it('leaves that warning to a listener of the application', () => {
    const source = new Source();
    const seen: unknown[] = [];
    source.on('rejectionHandled', (promise) => seen.push(promise));
    installSuspensionGuard(source);
    const promise = Promise.resolve();
    source.handle(promise);
    expect(source.warnings).toEqual([]);
    expect(seen).toEqual([promise]);
  });

  it('is installed once, however often it is asked for', () => {
    const source = new Source();
    installSuspensionGuard(source);
    installSuspensionGuard(source);
    expect(source.listenerCount('unhandledRejection')).toBe(1);
    expect(source.listenerCount('rejectionHandled')).toBe(1);
  });

  it('watches the process by default', () => {
    installSuspensionGuard();
    expect(process.listenerCount('unhandledRejection')).toBeGreaterThan(0);
  });
});
