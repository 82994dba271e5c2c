import { UnprocessableEntityException } from '@nestjs/common';
import { countSeats } from './count-seats.js';
import type { Plan } from './plan.js';

/** More seats were wanted than a plan has. */
export class PlanTooSmallException extends UnprocessableEntityException {
  constructor(plan: Plan, seats: number) {
    super(
      `${plan.title} has at most ${countSeats(plan.maxSeats)}, and ${seats} are wanted. ` +
        'Take a larger plan or fewer seats.',
    );
  }
}
