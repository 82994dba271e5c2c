import { Module } from '@nestjs/common';
import { PlansModule } from '../plans/plans.module.js';
import { AccountStore } from './account-store.js';
import { AccountsCompletions } from './accounts.completions.js';
import { AccountsPrompts } from './accounts.prompts.js';
import { AccountsResources } from './accounts.resources.js';
import { AccountsService } from './accounts.service.js';
import { AccountsTools } from './accounts.tools.js';
import { InMemoryAccountStore } from './in-memory-account.store.js';

@Module({
  imports: [PlansModule],
  providers: [
    { provide: AccountStore, useClass: InMemoryAccountStore },
    AccountsService,
    AccountsTools,
    AccountsResources,
    AccountsPrompts,
    AccountsCompletions,
  ],
  exports: [AccountsService],
})
export class AccountsModule {}
