import { numbered, planImport, TAKEN } from './import-plan.js';

const rows = numbered(
  ['ada@example.com', 'grace@example.com', 'Grace@Example.com', 'engines@example.com'].map(
    (email) => ({ holder: 'Analytical Engines', email, plan: 'team' as const }),
  ),
);

describe('the plan of an import', () => {
  it('opens one account for an address, whatever its case', () => {
    const { free, taken } = planImport(rows, []);
    expect(free.map(({ row }) => row)).toEqual([1, 2, 4]);
    expect(taken).toEqual([
      { row: 3, email: 'Grace@Example.com', reason: 'Row 2 has this address already.' },
    ]);
  });

  it('says of addresses that have an account that they do, in every row', () => {
    const { free, taken } = planImport(rows, [2, 3]);
    expect(free.map(({ row }) => row)).toEqual([1, 4]);
    expect(taken.map(({ row, reason }) => [row, reason])).toEqual([
      [2, TAKEN],
      [3, TAKEN],
    ]);
  });
});
