import { McpArgs, McpContext, McpPrincipal, McpTool, McpToolContext } from '@dacapo/mcp';
import { Injectable, UseGuards } from '@nestjs/common';
import { AuthenticatedGuard } from '../auth/authenticated.guard.js';
import { countSeats } from '../plans/count-seats.js';
import type { Plan } from '../plans/plan.js';
import { PlansService } from '../plans/plans.service.js';
import { AccountOwnerGuard } from './account-owner.guard.js';
import { AccountsService } from './accounts.service.js';
import { AccountDto } from './dto/account.dto.js';
import { AccountListDto } from './dto/account-list.dto.js';
import { CloseAccountDto } from './dto/close-account.dto.js';
import { OpenAccountDto } from './dto/open-account.dto.js';

const NOTHING_OPENED = 'Nothing was opened.';
const NOTHING_CLOSED = 'Nothing was closed.';

/** Opens, closes and lists the accounts of the caller, whom the guard makes sure to be somebody. */
@Injectable()
@UseGuards(AuthenticatedGuard)
export class AccountsTools {
  constructor(
    private readonly accounts: AccountsService,
    private readonly plans: PlansService,
  ) {}

  /**
   * Each retry plays this method again from the top. That is safe because nothing is changed before
   * the last answer is in, and an address can have one open account only.
   */
  @McpTool({
    title: 'Open an account',
    description: 'Opens an account. Asks for an e-mail address, then for a plan.',
  })
  async openAccount(
    @McpArgs() { holder, seats }: OpenAccountDto,
    @McpContext() ctx: McpToolContext,
    @McpPrincipal() owner: string,
  ): Promise<AccountDto | string> {
    const contact = await ctx.elicit(
      `Which e-mail address should the account of ${holder} have?`,
      (form) => form.email('email', { title: 'E-mail', maxLength: 120 }),
      { key: 'email' },
    );
    if (contact.action !== 'accept') return NOTHING_OPENED;
    const { email } = contact.content;
    await this.accounts.assertEmailFree(email);

    const plans = this.plans.fitting(seats).map(toChoice);
    const choice = await ctx.elicit(
      `Which plan should ${email} be on, for ${countSeats(seats)}?`,
      (form) =>
        form
          .choice('plan', plans, { title: 'Plan', ...(plans[0] && { default: plans[0].value }) })
          .boolean('yearly', {
            title: 'Pay yearly',
            description: 'Two months of the year are free',
            default: false,
          }),
      { key: 'plan' },
    );
    if (choice.action !== 'accept') return NOTHING_OPENED;
    const { plan, yearly } = choice.content;
    const billing = yearly ? 'yearly' : 'monthly';
    return AccountDto.of(await this.accounts.open({ owner, holder, email, plan, billing, seats }));
  }

  @McpTool({
    title: 'Close an account',
    description: 'Closes an account for good. Asks for confirmation first.',
    annotations: { destructiveHint: true },
  })
  @UseGuards(AccountOwnerGuard)
  async closeAccount(
    @McpArgs() { id }: CloseAccountDto,
    @McpContext() ctx: McpToolContext,
  ): Promise<string> {
    const { holder, email } = await this.accounts.getOpen(id);
    const confirmation = await ctx.elicit(
      `Close the account ${id} of ${holder} (${email})? This cannot be undone.`,
      (form) =>
        form
          .boolean('sure', { title: 'Close it for good', default: false })
          .string('reason', { title: 'Why, if you like to say', optional: true, maxLength: 200 }),
      { key: 'confirmation' },
    );
    if (confirmation.action !== 'accept' || !confirmation.content.sure) return NOTHING_CLOSED;
    await this.accounts.close(id);
    const { reason } = confirmation.content;
    return `The account ${id} is closed.${reason === undefined ? '' : ` Reason given: ${reason}`}`;
  }

  @McpTool({
    title: 'List accounts',
    description: 'Lists your accounts, closed ones too',
    output: AccountListDto,
    annotations: { readOnlyHint: true },
  })
  async listAccounts(@McpPrincipal() owner: string): Promise<AccountListDto> {
    const accounts = await this.accounts.ownedBy(owner);
    return { accounts: accounts.map((account) => AccountDto.of(account)) };
  }
}

function toChoice({ id, title, summary, pricePerSeat }: Plan) {
  return { value: id, title: `${title}: ${summary}, ${pricePerSeat} EUR a seat and month` };
}
