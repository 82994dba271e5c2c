import { median, percentile } from './statistics.js';

describe('statistics', () => {
  it('gives the middle, whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([10, 9, 100])).toBe(10);
  });

  it('gives percentiles, between two numbers where they fall there', () => {
    const numbers = Array.from({ length: 101 }, (_, index) => 100 - index);
    expect(percentile(numbers, 99)).toBe(99);
    expect(percentile([0, 10], 99)).toBeCloseTo(9.9);
    expect(percentile([7], 99)).toBe(7);
  });

  it('gives nothing of nothing', () => {
    expect(median([])).toBeNaN();
  });
});
