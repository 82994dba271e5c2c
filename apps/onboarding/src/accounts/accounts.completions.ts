import { McpCompletion, McpPrincipal, McpValue } from '@dacapo/mcp';
import { Injectable, UseGuards } from '@nestjs/common';
import { AuthenticatedGuard } from '../auth/authenticated.guard.js';
import { AccountsService } from './accounts.service.js';

/** Suggests the ids of accounts, to their owners only. */
@Injectable()
@UseGuards(AuthenticatedGuard)
export class AccountsCompletions {
  constructor(private readonly accounts: AccountsService) {}

  /** A letter can welcome the holder of an open account only. */
  @McpCompletion({ prompt: 'welcomeLetter', argument: 'id' })
  openIds(@McpValue() typed: string, @McpPrincipal() owner: string): Promise<string[]> {
    return this.idsOf(owner, typed, 'open');
  }

  @McpCompletion({ resource: 'accounts://{id}', argument: 'id' })
  ids(@McpValue() typed: string, @McpPrincipal() owner: string): Promise<string[]> {
    return this.idsOf(owner, typed, 'all');
  }

  private async idsOf(owner: string, typed: string, which: 'open' | 'all'): Promise<string[]> {
    const accounts = await this.accounts.ownedBy(owner);
    return accounts
      .filter(({ closedAt }) => which === 'all' || closedAt === undefined)
      .map(({ id }) => id)
      .filter((id) => id.startsWith(typed));
  }
}
