/** Veltkamp's constant for splitting a double into two halves of 26 bits: 2^27 + 1. */
const SPLITTER = 134217729;
/** More than the error of a quotient below, relative to its correction. */
const ERROR_BOUND = 2 ** -40;

/**
 * The double nearest to `(high * scale + low) / divisor`, or undefined in the rare case that this cannot be told here.
 *
 * For decimals of 16 to 22 digits, whose integer no double holds. `high` is an integer below 10^15, `scale` and `divisor` are
 * powers of ten of at most 10^7 and 10^22, `low` is an integer below `scale`. The dividend is kept exactly as the sum of two
 * doubles (Dekker 1971); the quotient's first rounding is corrected by its remainder, and when the correction is so near to
 * half a unit in the last place that its own error could decide, nothing is said.
 */
export function divideExactly(high: number, scale: number, low: number, divisor: number): number | undefined {
  const product = high * scale;
  const sum = product + low;
  const roundedLow = sum - product;
  const lowPart = productError(high, scale, product) + (product - (sum - roundedLow)) + (low - roundedLow);
  const dividend = sum + lowPart;
  const rest = lowPart - (dividend - sum);
  const quotient = dividend / divisor;
  const backProduct = quotient * divisor;
  const correction = (dividend - backProduct - productError(quotient, divisor, backProduct) + rest) / divisor;
  const nearest = quotient + correction * (1 - ERROR_BOUND);
  return nearest === quotient + correction * (1 + ERROR_BOUND) ? nearest : undefined;
}

/** What `a * b` is above `product`, its rounding: exact while nothing overflows. */
function productError(a: number, b: number, product: number): number {
  const aHigh = a * SPLITTER - (a * SPLITTER - a);
  const bHigh = b * SPLITTER - (b * SPLITTER - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}
