import { Logger } from '@nestjs/common';
import { InternalErrorException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import type { VisibilityRule } from '../../pipeline/index.js';
import type { Awaitable } from '../../protocol/index.js';
import { toDenial } from '../call-errors.js';

const logger = new Logger('McpVisibility');

/**
 * Whether the caller of an exchange may know of what is under a rule; what cannot be decided is
 * hidden, and logged.
 * @param visible `undefined`: everybody may
 * @throws McpException with what the rule tells the caller by an HttpException
 */
export function mayKnow(
  visible: VisibilityRule | undefined,
  exchange: McpExchange,
): Awaitable<boolean> {
  return visible === undefined || mayPass(visible, exchange);
}

async function mayPass(visible: VisibilityRule, exchange: McpExchange): Promise<boolean> {
  try {
    return await visible(exchange);
  } catch (error) {
    const denial = toDenial(error);
    if (!(denial instanceof InternalErrorException)) throw denial;
    logger.error(error);
    return false;
  }
}
