import { IsDateString, IsEmail, IsIn, IsInt, IsString, Min } from 'class-validator';
import { type Billing, BILLINGS } from '../../plans/billing.js';
import { PLAN_IDS, type PlanId } from '../../plans/plan.js';
import type { Account } from '../account.js';

/** An account as its owner sees it. */
export class AccountDto {
  @IsString()
  id!: string;

  @IsString()
  holder!: string;

  @IsEmail()
  email!: string;

  @IsIn(PLAN_IDS)
  plan!: PlanId;

  @IsIn(BILLINGS)
  billing!: Billing;

  @IsInt()
  @Min(1)
  seats!: number;

  @IsIn(['open', 'closed'])
  status!: 'open' | 'closed';

  @IsDateString()
  openedAt!: string;

  static of({ id, holder, email, plan, billing, seats, openedAt, closedAt }: Account): AccountDto {
    return {
      id,
      holder,
      email,
      plan,
      billing,
      seats,
      status: closedAt === undefined ? 'open' : 'closed',
      openedAt: openedAt.toISOString(),
    };
  }
}
