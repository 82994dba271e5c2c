import { figure, table } from './table.js';

describe('a table', () => {
  it('has the names to the left, the numbers to the right, and no blanks at the end', () => {
    expect(
      table(
        ['', 'µs', ''],
        [
          ['echo', '40.0', ''],
          ['sdk', '1,250', 'slow'],
        ],
      ),
    ).toBe(['         µs', 'echo   40.0', 'sdk   1,250  slow'].join('\n'));
  });

  it.each([
    [12_345.6, '12,346'],
    [99.94, '99.9'],
    [1.234, '1.23'],
    [0.1254, '0.125'],
    [-3.456, '-3.46'],
    [NaN, ''],
    [undefined, ''],
  ])('writes %p as %j', (value, text) => {
    expect(figure(value)).toBe(text);
  });
});
