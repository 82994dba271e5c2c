import type { HandlerHost } from '../discovery/index.js';
import {
  annotationsFault,
  iconsFault,
  metaFault,
  type MetadataFault,
  sizeFault,
  toolAnnotationsFault,
} from '../schema/index.js';
import { definitionError } from './argument-schema.js';

/** What lists show of a handler beside its names. */
export interface HandlerMetadataOptions {
  readonly icons?: unknown;
  readonly meta?: unknown;
  /** Of a resource. */
  readonly annotations?: unknown;
  /** Of a tool. */
  readonly hints?: unknown;
  readonly size?: unknown;
}

const FAULTS: Readonly<
  Record<keyof HandlerMetadataOptions, (value: unknown) => MetadataFault | undefined>
> = {
  icons: iconsFault,
  meta: metaFault,
  annotations: annotationsFault,
  hints: toolAnnotationsFault,
  size: sizeFault,
};

/** @throws HandlerDefinitionException for what clients could not read, and would refuse the list for */
export function checkMetadata(host: HandlerHost, options: HandlerMetadataOptions): void {
  for (const name of Object.keys(options) as (keyof HandlerMetadataOptions)[]) {
    const fault = options[name] === undefined ? undefined : FAULTS[name](options[name]);
    if (fault !== undefined) throw definitionError(host, fault.fact, fault.mend);
  }
}
