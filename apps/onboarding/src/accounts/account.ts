import type { Billing } from '../plans/billing.js';
import type { PlanId } from '../plans/plan.js';

/** What is known of an account before it is opened. */
export interface NewAccount {
  /** The principal who may read and close it. */
  readonly owner: string;
  /** The person or company it is for. */
  readonly holder: string;
  readonly email: string;
  readonly plan: PlanId;
  readonly billing: Billing;
  readonly seats: number;
}

export interface Account extends NewAccount {
  readonly id: string;
  readonly openedAt: Date;
  /** Set when the account is closed. */
  readonly closedAt?: Date;
}
