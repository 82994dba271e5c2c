import { AsyncResource } from 'node:async_hooks';
import type { StreamableFile } from '@nestjs/common';
import { isObservable } from 'rxjs';
import type { McpProgressSource } from '../../context/index.js';
import { InvalidResultException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { isJsonObject } from '../../protocol/index.js';
import { ByteAllowance } from './byte-allowance.js';
import { isBytes } from './bytes.js';
import { dispositionName } from './disposition-name.js';
import { McpFile } from './mcp-file.js';
import { ValueParts } from './value-parts.js';
import { isSource, sourceOf, type ValueSource } from './value-source.js';
import { isProgress, YieldedProgress } from './yielded-progress.js';

/** Whose value is collected. */
export interface CollectedCall {
  /** Name of the handler, for messages. */
  readonly handler: string;
  readonly exchange: McpExchange;
  /** The most that is read, in bytes. */
  readonly maxBytes: number;
  /** Where yielded progress goes; `undefined` outside of a handler. */
  readonly progress?: McpProgressSource;
}

/**
 * Makes a value of what a handler returned: streams, files, async iterables and generators are read,
 * alone or in a list; everything else is a value already.
 *
 * 1. Reading happens where it is called: inside a round, what is read can ask and report.
 * 2. No more than `maxBytes` is read. A source is stopped when there is more, when it fails, and when
 *    the call is cancelled.
 * 3. Of a list every source is opened before the first is read: nothing else would hear of one that
 *    fails before its turn.
 * 4. What an async iterable or a generator yields in the shape of progress is sent as progress. Its
 *    result is what it returns; when it returns nothing, what else it has yielded.
 *
 * @throws ResultTooLargeException, InvalidResultException, and whatever a source fails with
 */
export function collectValue(value: unknown, call: CollectedCall): unknown {
  return isCollected(value) ? value : new Collector(call).collect(value);
}

/** True for most of what handlers return: there is nothing to read, nor to wait for. */
export function isPlain(value: unknown): boolean {
  return isCollected(value) && !isObservable(value);
}

function isCollected(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value) ? !value.some(isCollectable) : !isCollectable(value);
}

function isCollectable(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (isBytes(value) || value instanceof McpFile || isFile(value) || isSource(value))
  );
}

class Collector {
  private readonly allowance: ByteAllowance;
  private readonly progress: YieldedProgress;

  constructor(private readonly call: CollectedCall) {
    this.allowance = new ByteAllowance(call.handler, call.maxBytes);
    this.progress = new YieldedProgress(call.progress);
  }

  async collect(value: unknown): Promise<unknown> {
    return Array.isArray(value) ? this.list(value) : this.one(opened(value));
  }

  private async list(items: readonly unknown[]): Promise<unknown[]> {
    const all: OpenedValue[] = [];
    let begun = 0;
    try {
      for (const item of items) all.push(opened(item));
      const collected: unknown[] = [];
      for (const item of all) {
        begun += 1;
        collected.push(await this.one(item));
      }
      return collected;
    } finally {
      // Of a list that could not be read to its end, nothing may stay open.
      await Promise.all(all.slice(begun).map(release));
    }
  }

  private async one({ value, source }: OpenedValue): Promise<unknown> {
    if (isBytes(value)) {
      this.allowance.take(value.byteLength);
      return value;
    }
    if (value instanceof McpFile) {
      this.allowance.take(sizeOf(value.data));
      return value;
    }
    if (isStreamableFile(value)) return this.streamableFile(value, source);
    if (value instanceof Blob) return this.blob(value);
    return source === undefined ? value : this.read(source);
  }

  private async streamableFile(
    { options }: StreamableFile,
    source: ValueSource | undefined,
  ): Promise<McpFile> {
    const { type, disposition, length } = options;
    if (source === undefined) throw this.invalid('the stream of a file cannot be read');
    if (length !== undefined) await this.orStop(source, () => this.allowance.check(length));
    const data = await this.read(source);
    if (typeof data !== 'string' && !Buffer.isBuffer(data)) {
      throw this.invalid('the stream of a file gave something other than bytes and text');
    }
    return new McpFile(data, { mimeType: type, name: dispositionName(disposition) });
  }

  private async blob(blob: Blob): Promise<McpFile> {
    this.allowance.take(blob.size);
    const data = Buffer.from(await blob.arrayBuffer());
    const { name } = blob as { name?: unknown };
    return new McpFile(data, {
      ...(blob.type !== '' && { mimeType: blob.type }),
      ...(typeof name === 'string' && name !== '' && { name }),
    });
  }

  private async read(source: ValueSource): Promise<unknown> {
    const { exchange } = this.call;
    // What a generator does at its end belongs to the handler too.
    exchange.onAbort(AsyncResource.bind(() => void source.stop()));
    const parts = new ValueParts();
    for (;;) {
      const step = await this.next(source);
      if (step.done === true) return this.end(source, parts, step.value);
      await this.orStop(source, () => this.piece(parts, step.value));
    }
  }

  private async next(source: ValueSource): Promise<IteratorResult<unknown, unknown>> {
    const { exchange } = this.call;
    const step = await source.next().catch((error: unknown) => {
      // What a stopped source says is not why it was stopped.
      if (!exchange.aborted) throw error;
    });
    if (step !== undefined && !exchange.aborted) return step;
    await source.stop();
    throw exchange.signal.reason;
  }

  private async piece(parts: ValueParts, piece: unknown): Promise<void> {
    if (isProgress(piece)) {
      this.progress.report(piece);
      return;
    }
    const value = await this.one(opened(piece));
    if (!isCollectable(piece)) this.allowance.take(sizeOf(piece));
    parts.add(value);
  }

  private async end(source: ValueSource, parts: ValueParts, returned: unknown): Promise<unknown> {
    if (returned === undefined) return parts.isEmpty ? source.empty : parts.whole();
    if (parts.isEmpty) return this.collect(returned);
    throw this.invalid(
      'it is a generator that yielded a part of its result, and returned one too',
      'Yield progress and return the result, or yield the parts of the result and return nothing',
    );
  }

  private async orStop(source: ValueSource, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await source.stop();
      throw error;
    }
  }

  private invalid(detail: string, mend = 'Give a stream of bytes'): InvalidResultException {
    return new InvalidResultException(this.call.handler, detail, mend);
  }
}

/** A value with the source it is read from, if there is one. */
interface OpenedValue {
  readonly value: unknown;
  readonly source: ValueSource | undefined;
}

function opened(value: unknown): OpenedValue {
  return { value, source: sourceOf(isStreamableFile(value) ? value.getStream() : value) };
}

async function release({ source }: OpenedValue): Promise<void> {
  await source?.stop();
}

/** By what it can do: an application may have another copy of Nest. */
function isStreamableFile(value: unknown): value is StreamableFile {
  return (
    isJsonObject(value) &&
    typeof value['getStream'] === 'function' &&
    typeof value['getHeaders'] === 'function' &&
    isJsonObject(value['options'])
  );
}

function isFile(value: unknown): boolean {
  return value instanceof Blob || isStreamableFile(value);
}

/** Of a value that is no text, the length of its JSON; what has none is refused later, by name. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (isBytes(value)) return value.byteLength;
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text?.length ?? 0;
  } catch {
    return 0;
  }
}
