import { MAX_SEATS, PlansService } from './plans.service.js';

describe('PlansService', () => {
  const plans = new PlansService();
  const fitting = (seats: number) => plans.fitting(seats).map(({ id }) => id);

  it('offers the plans with room for the seats', () => {
    expect(fitting(1)).toEqual(['free', 'team', 'business']);
    expect(fitting(25)).toEqual(['team', 'business']);
    expect(fitting(MAX_SEATS)).toEqual(['business']);
  });

  it('gives two months of a year for nothing', () => {
    expect(plans.price('team', 3, 'monthly')).toEqual({ amount: 36, currency: 'EUR' });
    expect(plans.price('team', 3, 'yearly')).toEqual({ amount: 360, currency: 'EUR' });
  });

  it('refuses more seats than a plan has', () => {
    expect(() => plans.price('free', 2, 'monthly')).toThrow(
      'Free has at most 1 seat, and 2 are wanted. Take a larger plan or fewer seats.',
    );
  });
});
