/** A JSON number: sign, digits before and after the decimal point, exponent. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Number of digits of the largest double. Integers with more digits are not computed. */
export const MAX_INTEGER_DIGITS = 309;

/**
 * Returns the exact value of a number in any spelling, such as `1.76e18` or `503.0`, if it is an integer.
 * Returns undefined for any other number, and for integers with more than 309 digits.
 */
export function parseIntegerLiteral(literal: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  if (sign === undefined) return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const zeros = Number(exponent) - fraction.length;
  if (digits.length + zeros > MAX_INTEGER_DIGITS) return undefined;
  if (zeros >= 0) return BigInt(`${sign}${digits}${'0'.repeat(zeros)}`);
  return /[^0]/.test(digits.slice(zeros)) ? undefined : BigInt(sign + digits.slice(0, zeros));
}
