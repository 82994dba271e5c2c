/** The plans there are, from the smallest to the largest. */
export const PLAN_IDS = ['free', 'team', 'business'] as const;

export type PlanId = (typeof PLAN_IDS)[number];

/** What an account can be on. */
export interface Plan {
  readonly id: PlanId;
  readonly title: string;
  readonly summary: string;
  /** Whole euros for a seat and a month. */
  readonly pricePerSeat: number;
  readonly maxSeats: number;
}
