const BOUND_CACHE = new Map<string, number>();

/**
 * Parses the upper bound of a bucket: `Infinity` for any spelling of `+Inf`, `NaN` for text that is not a number. Results are
 * cached, because all series share a few bounds.
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
 * Returns the keys of an object of buckets or quantiles in numeric order, `+Inf` last.
 *
 * JavaScript objects list integer keys first: "1", "5" and "10" come before "0.005".
 */
export function sortNumericKeys(object: object): string[] {
  const keys = Object.keys(object);
  let last = Number.NEGATIVE_INFINITY;
  for (const key of keys) {
    const bound = parseBound(key);
    if (!(bound >= last)) return keys.sort(compareBounds);
    last = bound;
  }
  return keys;
}

/** Compares two bounds. Text that is not a number sorts last. `a - b` would be NaN for two infinities. */
function compareBounds(le: string, other: string): number {
  const a = parseBound(le);
  const b = parseBound(other);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
