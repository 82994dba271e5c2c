import type { ExternalContextCreator } from '@nestjs/core';
import { isObservable } from 'rxjs';
import { isPending } from '../protocol/is-pending.js';
import { McpInterceptorsConsumer } from './mcp-interceptors.consumer.js';

type CreatePipesFn = ExternalContextCreator['createPipesFn'];
type Params = Parameters<CreatePipesFn>[1];
type Extract = (...carried: unknown[]) => unknown;

const interceptorsConsumer = new McpInterceptorsConsumer();

/**
 * Nest's creator of pipelines, as calls over MCP need it.
 *
 * 1. Interceptors are run by {@link McpInterceptorsConsumer}.
 * 2. Parameters that no pipe looks at are read at once; Nest awaits each of them several times.
 * 3. So is a result that is no Observable.
 */
export function derivedCreator(creator: ExternalContextCreator): ExternalContextCreator {
  const derived = Object.create(creator) as ExternalContextCreator;
  const createPipesFn: CreatePipesFn = (pipes, params) =>
    pipes.length > 0 || params.some((param) => param.pipes.length > 0)
      ? creator.createPipesFn(pipes, params)
      : readParams(params);
  const transformToResult = (result: unknown): unknown =>
    isObservable(result) ? creator.transformToResult(result) : result;
  return Object.assign(derived, { interceptorsConsumer, createPipesFn, transformToResult });
}

/** Every value is asked for before any is awaited, as with Nest. */
function readParams(params: Params): ReturnType<CreatePipesFn> {
  if (params.length === 0) return null;
  const read = (args: unknown[], ...carried: unknown[]): Promise<unknown> | undefined => {
    let late: Promise<void>[] | undefined;
    for (const { index, extractValue } of params) {
      const value: unknown = (extractValue as Extract)(...carried);
      if (isPending(value)) {
        (late ??= []).push(Promise.resolve(value).then((settled) => void (args[index] = settled)));
      } else args[index] = value;
    }
    return late && Promise.all(late);
  };
  return read as ReturnType<CreatePipesFn>;
}
