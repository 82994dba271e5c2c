import { McpExecutionContext } from '@dacapo/mcp';
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
} from '@nestjs/common';
import { AccountsService } from './accounts.service.js';

/**
 * Lets in the owner of the account that the argument `id` names. Runs in every round, before the
 * arguments are validated. Somebody else's account and none at all get the same answer, so that
 * nobody learns which ids exist.
 */
@Injectable()
export class AccountOwnerGuard implements CanActivate {
  constructor(private readonly accounts: AccountsService) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const call = McpExecutionContext.create(context);
    const { principal } = call.getExchange();
    const { id } = call.getArguments<{ id?: unknown }>();
    if (
      principal !== null &&
      typeof id === 'string' &&
      (await this.accounts.isOwner(principal, id))
    )
      return true;
    throw new ForbiddenException(
      `You have no account ${JSON.stringify(id ?? '')}. listAccounts names yours.`,
    );
  }
}
