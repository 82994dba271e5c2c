import { EventEmitter } from 'node:events';
import { InputRequiredException, markAskRejection } from './suspension.js';
import { installSuspensionGuard } from './suspension-guard.js';

/** An emitter with a listener that an application might have. */
function guarded(): { source: EventEmitter; seen: unknown[] } {
  const source = new EventEmitter();
  const seen: unknown[] = [];
  source.on('unhandledRejection', (reason) => seen.push(reason));
  source.on('rejectionHandled', (promise) => seen.push(promise));
  source.on('other', (value) => seen.push(value));
  installSuspensionGuard(source);
  return { source, seen };
}

describe('installSuspensionGuard', () => {
  it('tells nobody of a suspension that is not awaited, nor that it is awaited after all', () => {
    const { source, seen } = guarded();
    const branch = Promise.resolve();
    expect(source.emit('unhandledRejection', new InputRequiredException(), branch)).toBe(true);
    expect(source.emit('rejectionHandled', branch)).toBe(true);
    expect(seen).toEqual([]);
  });

  it('tells nobody of any other error a question rejected with', () => {
    const { source, seen } = guarded();
    const error = new Error('no such capability');
    markAskRejection(error);
    expect(source.emit('unhandledRejection', error, Promise.resolve())).toBe(true);
    expect(seen).toEqual([]);
  });

  it('lets every other event pass', () => {
    const { source, seen } = guarded();
    const bug = new Error('a bug');
    const promise = Promise.resolve();
    source.emit('unhandledRejection', bug, promise);
    source.emit('rejectionHandled', promise);
    source.emit('other', 1);
    expect(seen).toEqual([bug, promise, 1]);
  });

  it('answers as Node expects when nobody listens, so that Node ends the process', () => {
    const source = new EventEmitter();
    installSuspensionGuard(source);
    expect(source.emit('unhandledRejection', new Error('a bug'), Promise.resolve())).toBe(false);
  });

  it('is installed once, however often it is asked for', () => {
    const { source } = guarded();
    const { emit } = source;
    installSuspensionGuard(source);
    expect(source.emit).toBe(emit);
  });

  it('watches the process by default', () => {
    installSuspensionGuard();
    expect(Object.hasOwn(process, 'emit')).toBe(true);
  });
});
