import { IsIn, IsInt, Max, Min } from 'class-validator';
import { type Billing, BILLINGS } from '../billing.js';
import { PLAN_IDS, type PlanId } from '../plan.js';
import { MAX_SEATS } from '../plans.service.js';

/** What `quotePlan` wants to know. */
export class QuotePlanDto {
  @IsIn(PLAN_IDS)
  plan!: PlanId;

  @IsInt()
  @Min(1)
  @Max(MAX_SEATS)
  seats = 1;

  @IsIn(BILLINGS)
  billing: Billing = 'monthly';
}
