import { Injectable, Logger } from '@nestjs/common';
import { InternalErrorException } from '../../exceptions/index.js';
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
  async run<T>(map: () => Awaitable<T>): Promise<T> {
    try {
      return await map();
    } catch (error) {
      this.logger.error(error);
      throw new InternalErrorException(
        this.options.exposeErrors ? unexpectedMessage(error) : undefined,
      );
    }
  }
}
