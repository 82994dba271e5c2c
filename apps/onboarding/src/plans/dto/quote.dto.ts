import { IsIn, IsInt, Min } from 'class-validator';
import { type Billing, BILLINGS } from '../billing.js';
import { PLAN_IDS, type PlanId } from '../plan.js';

/** What `quotePlan` answers. */
export class QuoteDto {
  @IsIn(PLAN_IDS)
  plan!: PlanId;

  @IsInt()
  @Min(1)
  seats!: number;

  @IsIn(BILLINGS)
  billing!: Billing;

  @IsInt()
  @Min(0)
  amount!: number;

  @IsIn(['EUR'])
  currency!: 'EUR';
}
