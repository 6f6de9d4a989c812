/** What is known of some observations: how many lie in which bucket, and what they sum up to at most. */
export interface Occupancy {
  /** By bucket, ascending: its edges, -Infinity and Infinity where it has none. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly counts: Float64Array;
  /** Infinity when nothing is known of it. */
  readonly sum: number;
}

/** A place between two order statistics: (1 - fraction) x[index] + fraction x[index + 1]. */
export interface Place {
  readonly index: number;
  readonly fraction: number;
}

interface Edges {
  readonly lower: number;
  readonly upper: number;
}

/**
 * The largest value that a place can have. What the sum leaves limits it: every observation that need not rise with
 * the place is put at its bucket's lower edge.
 */
export function largestAt(known: Occupancy, place: Place): number {
  const { index, fraction } = place;
  const below = bucketOf(known, index);
  const above = fraction > 0 ? bucketOf(known, index + 1) : below;
  // Those of the upper bucket that rank at or above the place's upper end rise with it.
  const rising = endOf(known, above) - (fraction > 0 ? index + 1 : index);
  const fixed = fraction > 0 ? [below, above] : [above];
  const left = known.sum - leastSumOfOthers(known, fixed, above, rising);
  const lower = edgesOf(known, below);
  const upper = edgesOf(known, above);
  return fraction > 0 ? largestPair(lower, upper, rising, left, fraction) : largestOne(upper, rising, left);
}

/** The same observations with their signs turned: what is largest there is smallest here. */
export function mirrored({ lower, upper, counts }: Occupancy, leastSum: number): Occupancy {
  return {
    lower: upper.map(edge => -edge).reverse(),
    upper: lower.map(edge => -edge).reverse(),
    counts: counts.slice().reverse(),
    sum: -leastSum,
  };
}

/** Where a place of `count` observations is when their signs are turned. */
export function mirroredPlace({ index, fraction }: Place, count: number): Place {
  if (fraction === 0) return { index: count - 1 - index, fraction };
  return { index: count - 2 - index, fraction: 1 - fraction };
}

function bucketOf({ counts }: Occupancy, index: number): number {
  let end = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    end += counts[bucket]!;
    if (index < end) return bucket;
  }
  throw new RangeError(`BUG: no observation ${index} among ${end}`);
}

function endOf({ counts }: Occupancy, bucket: number): number {
  return counts.subarray(0, bucket + 1).reduce((all, count) => all + count, 0);
}

function edgesOf({ lower, upper }: Occupancy, bucket: number): Edges {
  return { lower: lower[bucket]!, upper: upper[bucket]! };
}

/** The least sum of all observations but the `rising` ones of one bucket and the one at the place's lower end. */
function leastSumOfOthers(
  { lower, counts }: Occupancy,
  place: number[],
  above: number,
  rising: number,
): number {
  let least = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    let others = counts[bucket]!;
    if (bucket === above) others -= rising;
    if (place.length === 2 && bucket === place[0]) others -= 1;
    if (others > 0) least += others * lower[bucket]!;
  }
  return least;
}

/** Largest a in its bucket with `rising` a <= left. */
function largestOne({ lower, upper }: Edges, rising: number, left: number): number {
  const most = left / rising;
  return most >= lower ? Math.min(upper, most) : upper;
}

/**
 * Largest (1 - fraction) a + fraction b with a <= b, each in its bucket, and a + rising b <= left: a linear programme
 * of two variables, so the best corner. A sum that leaves too little contradicts the counts and is passed over.
 */
function largestPair(below: Edges, above: Edges, rising: number, left: number, fraction: number): number {
  const free = (1 - fraction) * below.upper + fraction * above.upper;
  if (!(left < Number.POSITIVE_INFINITY)) return free;
  if (above.upper === Number.POSITIVE_INFINITY && below.lower === Number.NEGATIVE_INFINITY) return free;
  const same = left / (1 + rising);
  const corners: [a: number, b: number][] = [
    [same, same],
    [below.upper, (left - below.upper) / rising],
    [below.lower, (left - below.lower) / rising],
    [left - rising * above.lower, above.lower],
    [left - rising * above.upper, above.upper],
    [below.upper, above.upper],
    [below.lower, above.upper],
    [below.upper, above.lower],
    [below.upper, below.upper],
  ];
  let best = Number.NEGATIVE_INFINITY;
  for (const [a, b] of corners) {
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
    const fits = a + rising * b <= left + 1e-12 * Math.abs(left);
    const inside = a >= below.lower && a <= below.upper && b >= above.lower && b <= above.upper;
    if (fits && inside && a <= b) best = Math.max(best, (1 - fraction) * a + fraction * b);
  }
  return best === Number.NEGATIVE_INFINITY ? free : best;
}
