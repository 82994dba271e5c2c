import { _, type CodeKeywordDefinition, str } from 'ajv';

/**
 * `multipleOf` as the numbers are written, in decimals: divided as binary fractions, 19.99 is no
 * multiple of 0.01.
 */
export const MULTIPLE_OF: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  code(context) {
    const check = context.gen.scopeValue('func', { ref: isMultipleOf });
    context.pass(_`${check}(${context.data}, ${context.schemaCode})`);
  },
  error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
};

/** A number: its digits, times ten to the power of its exponent. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  // JSON can be written that overflows.
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return false;
  const [dividend, unit] = [toDecimal(value), toDecimal(divisor)];
  const exponent = Math.min(dividend.exponent, unit.exponent);
  return digitsAt(dividend, exponent) % digitsAt(unit, exponent) === 0n;
}

/** The shortest decimal that stands for a number, which is how it was written, or equal to it. */
function toDecimal(value: number): Decimal {
  const [mantissa = '', exponent] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** The digits of a number in units of a smaller power of ten. */
function digitsAt({ digits, exponent }: Decimal, unit: number): bigint {
  return digits * 10n ** BigInt(exponent - unit);
}
