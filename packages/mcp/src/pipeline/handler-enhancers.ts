import type { ExceptionFilter } from '@nestjs/common';
import {
  EmptyResultFilter,
  LedgerMismatchFilter,
  MissingClientCapabilityFilter,
  RequestStateRejectedFilter,
} from '../exceptions/index.js';
import { EXCEPTION_FILTERS_METADATA, INTERCEPTORS_METADATA } from '../mcp.constants.js';
import { ReplayInterceptor } from '../replay/index.js';

const interceptors = [new ReplayInterceptor()];
const filters: readonly ExceptionFilter[] = [
  new EmptyResultFilter(),
  new LedgerMismatchFilter(),
  new MissingClientCapabilityFilter(),
  new RequestStateRejectedFilter(),
];

/**
 * Appends the engine to the method's own interceptors and filters, where Nest finds them: last among
 * interceptors is innermost, last among filters is asked first. The enhancers keep nothing, so a
 * method that serves several applications carries them once.
 */
export function attachReplay(method: object): void {
  append(INTERCEPTORS_METADATA, method, interceptors);
  append(EXCEPTION_FILTERS_METADATA, method, filters);
}

function append(key: string, method: object, enhancers: readonly unknown[]): void {
  const own = (Reflect.getMetadata(key, method) ?? []) as unknown[];
  const others = own.filter((enhancer) => !enhancers.includes(enhancer));
  Reflect.defineMetadata(key, [...others, ...enhancers], method);
}
