/** The upper bound of a bucket as a number: `Infinity` for `+Inf` in all its spellings, `NaN` for no number. */
export function boundOf(le: string): number {
  const value = Number(le);
  if (!Number.isNaN(value) && le.trim() !== '') return value;
  return /^\+?inf(inity)?$/i.test(le) ? Number.POSITIVE_INFINITY : Number.NaN;
}

/**
 * The keys of an object of buckets or quantiles in the order of their numbers, `+Inf` last.
 *
 * An object gives "1", "5", "10" before "0.005", whatever the order in which they were set.
 */
export function numericKeys(object: object): string[] {
  const keys = Object.keys(object);
  let last = Number.NEGATIVE_INFINITY;
  for (const key of keys) {
    const bound = boundOf(key);
    if (!(bound >= last)) return sortedByBound(keys);
    last = bound;
  }
  return keys;
}

function sortedByBound(keys: string[]): string[] {
  const bounds = new Map(keys.map(key => [key, boundOf(key)]));
  return keys.sort((a, b) => compareBounds(bounds.get(a)!, bounds.get(b)!));
}

/** NaN last; `a - b` would be NaN for two infinities. */
function compareBounds(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
