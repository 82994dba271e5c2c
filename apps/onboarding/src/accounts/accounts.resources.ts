import { McpArg, McpResource } from '@dacapo/mcp';
import { Injectable, UseGuards } from '@nestjs/common';
import { AuthenticatedGuard } from '../auth/authenticated.guard.js';
import { AccountOwnerGuard } from './account-owner.guard.js';
import { AccountsService } from './accounts.service.js';
import { AccountDto } from './dto/account.dto.js';

/** Accounts one by one, for their owners. */
@Injectable()
@UseGuards(AuthenticatedGuard, AccountOwnerGuard)
export class AccountsResources {
  constructor(private readonly accounts: AccountsService) {}

  @McpResource({
    uriTemplate: 'accounts://{id}',
    title: 'Account',
    description: 'One of your accounts',
    mimeType: 'application/json',
  })
  async account(@McpArg('id') id: string): Promise<AccountDto> {
    return AccountDto.of(await this.accounts.get(id));
  }
}
