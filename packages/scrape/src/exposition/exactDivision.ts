/** 2^27 + 1, the factor of Veltkamp's method, which splits a double into two halves of 26 bits. */
const SPLITTER = 134217729;
/** An upper bound of the relative error of the correction in `divideExactly`. */
const ERROR_BOUND = 2 ** -40;

/**
 * Returns the double nearest to `(high * scale + low) / divisor`, or undefined in the rare case that the
 * rounding direction cannot be determined.
 *
 * Used for decimals of 16 to 22 digits, which exceed the integers that a double represents exactly. `high` is
 * an integer below 10^15; `scale` and `divisor` are powers of ten up to 10^7 and 10^22; `low` is an integer
 * below `scale`. The dividend is represented exactly as the sum of two doubles (Dekker 1971), and the rounded
 * quotient is corrected by the remainder of the division. The result is undefined if the correction is so
 * close to half a unit in the last place that its error could change the rounding.
 */
export function divideExactly(high: number, scale: number, low: number, divisor: number): number | undefined {
  const product = high * scale;
  const sum = product + low;
  const roundedLow = sum - product;
  const lowPart =
    computeProductError(high, scale, product) + (product - (sum - roundedLow)) + (low - roundedLow);
  const dividend = sum + lowPart;
  const dividendError = lowPart - (dividend - sum);
  const quotient = dividend / divisor;
  const backProduct = quotient * divisor;
  const correction =
    (dividend - backProduct - computeProductError(quotient, divisor, backProduct) + dividendError) / divisor;
  const nearest = quotient + correction * (1 - ERROR_BOUND);
  return nearest === quotient + correction * (1 + ERROR_BOUND) ? nearest : undefined;
}

/** Returns the rounding error `a * b - product`. The result is exact unless a product overflows. */
function computeProductError(a: number, b: number, product: number): number {
  const aHigh = a * SPLITTER - (a * SPLITTER - a);
  const bHigh = b * SPLITTER - (b * SPLITTER - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}
