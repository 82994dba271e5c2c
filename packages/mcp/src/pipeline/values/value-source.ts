import { isJsonObject } from '../../protocol/index.js';

/** Something that is read piece by piece, and can be told to stop. */
export interface ValueSource {
  next(): Promise<IteratorResult<unknown, unknown>>;
  /** Lets go of what it holds; resolves when that is done, and never rejects. */
  stop(): Promise<void>;
  /** What it stands for when nothing comes out of it. */
  readonly empty: unknown;
}

type WebStream = Pick<ReadableStream, 'getReader'>;
type NodeStream = AsyncIterable<unknown> & {
  destroy(): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  readonly readableObjectMode?: boolean;
  readonly readableEncoding?: BufferEncoding | null;
};

/**
 * A Web stream, a Node stream, any other async iterable or a generator; `undefined` for everything
 * else. Of synchronous iterables only iterators count: a list or a text is a value.
 */
export function sourceOf(value: unknown): ValueSource | undefined {
  if (isWebStream(value)) return webSource(value);
  if (!isAsyncIterable(value)) return isIterator(value) ? iteratorSource(value) : undefined;
  return isNodeStream(value) ? nodeSource(value) : iterableSource(value);
}

export function isSource(value: unknown): boolean {
  return isWebStream(value) || isAsyncIterable(value) || isIterator(value);
}

function isWebStream(value: unknown): value is WebStream {
  return isJsonObject(value) && typeof value['getReader'] === 'function';
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    isJsonObject(value) &&
    typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function'
  );
}

/** True for what a synchronous generator returns, and for the iterators of lists, Maps and Sets. */
export function isIterator(value: unknown): value is IterableIterator<unknown, unknown> {
  return (
    isJsonObject(value) &&
    typeof value['next'] === 'function' &&
    typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function'
  );
}

function isNodeStream(value: AsyncIterable<unknown>): value is NodeStream {
  const { pipe, destroy, on } = value as unknown as Record<string, unknown>;
  return [pipe, destroy, on].every((method) => typeof method === 'function');
}

/** With a reader: the stream's own iterator cannot be cancelled while it waits. */
function webSource(stream: WebStream): ValueSource {
  const reader = stream.getReader();
  return {
    next: async () => (await reader.read()) as IteratorResult<unknown, unknown>,
    stop: () => settled(() => reader.cancel()),
    empty: Buffer.alloc(0),
  };
}

/**
 * The stream's own iterator listens to errors from its first step to its last. Before and after it an
 * error that nobody hears, as of a file that cannot be opened, would end the process.
 */
function nodeSource(stream: NodeStream): ValueSource {
  const iterator = stream[Symbol.asyncIterator]();
  let begun = false;
  let early: { readonly error: unknown } | undefined;
  stream.on('error', (error) => {
    if (!begun) early ??= { error };
  });
  return {
    async next() {
      if (early !== undefined) throw early.error;
      begun = true;
      return iterator.next();
    },
    stop: () => settled(() => stream.destroy()),
    empty: emptyOf(stream),
  };
}

function emptyOf({ readableObjectMode, readableEncoding }: NodeStream): unknown {
  if (readableObjectMode === true) return undefined;
  return typeof readableEncoding === 'string' ? '' : Buffer.alloc(0);
}

/** A generator that is waiting ends when it comes to its next `yield`; its `finally` runs. */
function iterableSource(iterable: AsyncIterable<unknown>): ValueSource {
  const iterator = iterable[Symbol.asyncIterator]();
  return {
    next: async () => iterator.next(),
    stop: () => settled(() => iterator.return?.()),
    empty: undefined,
  };
}

/** As `for await` reads it: what it gives may be a promise. It ends when one of them fails. */
function iteratorSource(iterator: Iterator<unknown, unknown>): ValueSource {
  const stop = (): Promise<void> => settled(() => iterator.return?.());
  return {
    async next() {
      const { done, value } = iterator.next();
      try {
        return { done: done === true, value: await value };
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
    empty: undefined,
  };
}

async function settled(stop: () => unknown): Promise<void> {
  try {
    await stop();
  } catch {
    // Why it is stopped matters more than that stopping failed.
  }
}
