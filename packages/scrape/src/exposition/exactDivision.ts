/** Veltkamp's constant 2^27 + 1, which splits a double into two halves of 26 bits. */
const SPLITTER = 134217729;
/** An upper bound of the relative error of the correction in `divideExactly`. */
const ERROR_BOUND = 2 ** -40;

/**
 * Returns the double nearest to `(high * scale + low) / divisor`; undefined in the rare case that rounding is
 * uncertain.
 *
 * Used for decimals of 16 to 22 digits, whose digits exceed the integers a double can hold. `high` is an
 * integer below 10^15; `scale` and `divisor` are powers of ten up to 10^7 and 10^22; `low` is an integer
 * below `scale`. The dividend is represented exactly as the sum of two doubles (Dekker 1971). The rounded
 * quotient is corrected by its remainder. If the correction is so close to half a unit in the last place that
 * its own error could decide, the result is undefined.
 */
export function divideExactly(high: number, scale: number, low: number, divisor: number): number | undefined {
  const product = high * scale;
  const sum = product + low;
  const roundedLow = sum - product;
  const lowPart =
    computeProductError(high, scale, product) + (product - (sum - roundedLow)) + (low - roundedLow);
  const dividend = sum + lowPart;
  const rest = lowPart - (dividend - sum);
  const quotient = dividend / divisor;
  const backProduct = quotient * divisor;
  const correction =
    (dividend - backProduct - computeProductError(quotient, divisor, backProduct) + rest) / divisor;
  const nearest = quotient + correction * (1 - ERROR_BOUND);
  return nearest === quotient + correction * (1 + ERROR_BOUND) ? nearest : undefined;
}

/** Returns the rounding error `a * b - product`, exactly unless a product overflows. */
function computeProductError(a: number, b: number, product: number): number {
  const aHigh = a * SPLITTER - (a * SPLITTER - a);
  const bHigh = b * SPLITTER - (b * SPLITTER - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}
