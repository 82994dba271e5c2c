import { EventEmitter } from 'node:events';
import { InputRequiredException } from './suspension.js';
import { installSuspensionGuard } from './suspension-guard.js';

class Source extends EventEmitter {
  reject(reason: unknown): void {
    this.emit('unhandledRejection', reason);
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

  it('is installed once, however often it is asked for', () => {
    const source = new Source();
    installSuspensionGuard(source);
    installSuspensionGuard(source);
    expect(source.listenerCount('unhandledRejection')).toBe(1);
  });

  it('watches the process by default', () => {
    installSuspensionGuard();
    expect(process.listenerCount('unhandledRejection')).toBeGreaterThan(0);
  });
});
