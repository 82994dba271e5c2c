import { Injectable, Logger } from '@nestjs/common';
import { InternalErrorException } from '../../exceptions/index.js';
import { isPending } from '../../protocol/is-pending.js';
import { ResolvedOptions } from '../../options/index.js';
import type { Awaitable } from '../../protocol/index.js';
import { unexpectedMessage } from '../call-errors.js';

/**
 * Where what handlers returned becomes a result. A value that cannot be sent is the server's fault:
 * it is logged, and masked like every unexpected error.
 */
@Injectable()
export class ResultMapper {
  private readonly logger = new Logger('McpResult');

  constructor(private readonly options: ResolvedOptions) {}

  /** @throws InternalErrorException when `map` throws */
  run<T>(map: () => Awaitable<T>): Awaitable<T> {
    try {
      const mapped = map();
      return isPending(mapped) ? mapped.catch((error: unknown) => this.fail(error)) : mapped;
    } catch (error) {
      return this.fail(error);
    }
  }

  private fail(error: unknown): never {
    this.logger.error(error);
    throw new InternalErrorException(
      this.options.exposeErrors ? unexpectedMessage(error) : undefined,
    );
  }
}
