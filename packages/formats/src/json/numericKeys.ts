const bounds = new Map<string, number>();

/**
 * The upper bound of a bucket as a number: `Infinity` for `+Inf` in all its spellings, `NaN` for no number.
 * Remembers what it has seen: the same few bounds come in every series.
 */
export function parseBound(le: string): number {
  let bound = bounds.get(le);
  if (bound === undefined) {
    bound = readBound(le);
    if (bounds.size < 4096) bounds.set(le, bound);
  }
  return bound;
}

function readBound(le: string): number {
  const value = le.trim() === '' ? Number.NaN : Number(le);
  if (!Number.isNaN(value)) return value;
  return /^\+?inf(inity)?$/i.test(le) ? Number.POSITIVE_INFINITY : Number.NaN;
}

/**
 * The keys of an object of buckets or quantiles in the order of their numbers, `+Inf` last.
 *
 * An object gives "1", "5", "10" before "0.005", whatever the order in which they were set.
 */
export function sortNumericKeys(object: object): string[] {
  const keys = Object.keys(object);
  let last = Number.NEGATIVE_INFINITY;
  for (const key of keys) {
    const bound = parseBound(key);
    if (!(bound >= last)) return keys.sort(byBound);
    last = bound;
  }
  return keys;
}

/** What is not a number goes last; `a - b` would be NaN for two infinities. */
function byBound(le: string, other: string): number {
  const a = parseBound(le);
  const b = parseBound(other);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
