import { McpArg, McpElicit, McpElicitor, McpPrompt } from '@dacapo/mcp';
import { Injectable, UseGuards } from '@nestjs/common';
import { AuthenticatedGuard } from '../auth/authenticated.guard.js';
import { countSeats } from '../plans/count-seats.js';
import { PlansService } from '../plans/plans.service.js';
import { AccountOwnerGuard } from './account-owner.guard.js';
import { AccountsService } from './accounts.service.js';

const TONES = ['warm', 'formal', 'playful'] as const;
const DEFAULT_TONE = 'warm';

/** Texts for models about accounts. */
@Injectable()
@UseGuards(AuthenticatedGuard, AccountOwnerGuard)
export class AccountsPrompts {
  constructor(
    private readonly accounts: AccountsService,
    private readonly plans: PlansService,
  ) {}

  @McpPrompt({
    title: 'Welcome letter',
    description: 'Asks a model for a letter that welcomes a new customer. Asks you for its tone.',
  })
  async welcomeLetter(
    @McpArg('id', { title: 'Account', description: 'Whom to welcome, such as acc-1' }) id: string,
    @McpElicit() elicitor: McpElicitor,
  ): Promise<string> {
    const { holder, plan, seats } = await this.accounts.getOpen(id);
    const answer = await elicitor.elicit(
      `Which tone should the letter to ${holder} have?`,
      (form) => form.choice('tone', TONES, { title: 'Tone', default: DEFAULT_TONE }),
      { key: 'tone' },
    );
    const tone = answer.action === 'accept' ? answer.content.tone : DEFAULT_TONE;
    return (
      `Write a short and ${tone} letter that welcomes ${holder}. ` +
      `They are on our ${this.plans.get(plan).title} plan with ${countSeats(seats)}. ` +
      'Say how to reach us, and do not promise anything else.'
    );
  }
}
