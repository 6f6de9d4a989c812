/** Values that DCGM writes instead of a missing integer: 2^63 - 16 to 2^63 - 1 (`DCGM_INT64_BLANK` and after). */
const MIN_BLANK_INT64 = 2 ** 63 - 1024;
/** The same for 32-bit integers: 2^31 - 16 to 2^31 - 1. */
const BLANK_INT32 = 2 ** 31 - 16;
const MAX_INT32 = 2 ** 31 - 1;
/** The same for doubles: 2^47 to 2^47 + 3 (`DCGM_FP64_BLANK` and after). */
const BLANK_DOUBLE = 2 ** 47;

/**
 * Reports whether a value is a placeholder for a missing value: NaN, an infinity, a negative number, or one of DCGM's
 * blank values. No metric of a GPU that is read here is negative, except for temperatures, which are not below zero in
 * practice.
 */
export function isBlank(value: number): boolean {
  if (!Number.isFinite(value) || value < 0 || value >= MIN_BLANK_INT64) return true;
  if (value >= BLANK_INT32 && value <= MAX_INT32 && Number.isInteger(value)) return true;
  return value >= BLANK_DOUBLE && value <= BLANK_DOUBLE + 3;
}
