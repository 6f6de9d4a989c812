/** Parsed bounds by text. */
const BOUND_CACHE = new Map<string, number>();

/**
 * Parses the upper bound of a bucket. Returns `Infinity` for any spelling of `+Inf`, and `NaN` for text that
 * is not a number. Results are cached, because most series have the same bounds.
 */
export function parseBound(le: string): number {
  let bound = BOUND_CACHE.get(le);
  if (bound === undefined) {
    bound = parseUncachedBound(le);
    if (BOUND_CACHE.size < 4096) BOUND_CACHE.set(le, bound);
  }
  return bound;
}

function parseUncachedBound(le: string): number {
  const value = le.trim() === '' ? Number.NaN : Number(le);
  if (!Number.isNaN(value)) return value;
  return /^\+?inf(inity)?$/i.test(le) ? Number.POSITIVE_INFINITY : Number.NaN;
}

/**
 * Returns the keys of an object of buckets or quantiles in numeric order, `+Inf` last. The order of
 * `Object.keys` differs, because JavaScript lists integer keys first: "1", "5" and "10" come before "0.005".
 */
export function sortNumericKeys(object: object): string[] {
  const keys = Object.keys(object);
  let previous = Number.NEGATIVE_INFINITY;
  for (const key of keys) {
    const bound = parseBound(key);
    if (!(bound >= previous)) return keys.sort(compareBounds);
    previous = bound;
  }
  return keys;
}

/**
 * Compares two bounds. Text that is not a number sorts last. Does not subtract, because the difference of
 * infinities is NaN.
 */
function compareBounds(le: string, other: string): number {
  const a = parseBound(le);
  const b = parseBound(other);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
