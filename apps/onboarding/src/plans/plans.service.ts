import { Injectable } from '@nestjs/common';
import type { Billing } from './billing.js';
import type { Plan, PlanId } from './plan.js';
import { PlanTooSmallException } from './plan-too-small.exception.js';

/** Most seats any plan has. */
export const MAX_SEATS = 500;

const MONTHS_PAID_A_YEAR = 10;

const PLANS: Record<PlanId, Plan> = {
  free: {
    id: 'free',
    title: 'Free',
    summary: 'For trying things out',
    pricePerSeat: 0,
    maxSeats: 1,
  },
  team: {
    id: 'team',
    title: 'Team',
    summary: 'For people who work together',
    pricePerSeat: 12,
    maxSeats: 25,
  },
  business: {
    id: 'business',
    title: 'Business',
    summary: 'For whole companies',
    pricePerSeat: 29,
    maxSeats: MAX_SEATS,
  },
};

/** What a plan costs. */
export interface Price {
  /** Whole euros for a month or a year, as billed. */
  readonly amount: number;
  readonly currency: 'EUR';
}

/** The catalogue of plans. It never changes while the server runs. */
@Injectable()
export class PlansService {
  /** From the smallest to the largest. */
  all(): readonly Plan[] {
    return Object.values(PLANS);
  }

  get(id: PlanId): Plan {
    return PLANS[id];
  }

  /** The plans with room for so many seats; at least one for every number up to `MAX_SEATS`. */
  fitting(seats: number): readonly Plan[] {
    return this.all().filter((plan) => plan.maxSeats >= seats);
  }

  /**
   * Whoever pays for a year gets two months of it for nothing.
   * @throws PlanTooSmallException
   */
  price(id: PlanId, seats: number, billing: Billing): Price {
    const plan = this.get(id);
    if (seats > plan.maxSeats) throw new PlanTooSmallException(plan, seats);
    const months = billing === 'yearly' ? MONTHS_PAID_A_YEAR : 1;
    return { amount: plan.pricePerSeat * seats * months, currency: 'EUR' };
  }
}
