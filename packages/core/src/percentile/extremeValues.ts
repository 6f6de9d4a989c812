/** Constraints on a set of observations: the number in each bucket, and an upper limit on their sum. */
export interface Occupancy {
  /** Lower edges of the buckets, in ascending order; the first edge may be -Infinity. */
  readonly lower: Float64Array;
  /** Upper edges of the buckets; the last edge may be Infinity. */
  readonly upper: Float64Array;
  readonly counts: Float64Array;
  /** Upper limit on the sum; Infinity if the sum is unknown. */
  readonly sum: number;
}

/** A position between two order statistics: (1 - fraction) x[index] + fraction x[index + 1]. */
export interface Position {
  readonly index: number;
  readonly fraction: number;
}

/** The edges of one bucket. */
interface Edges {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Finds the largest possible value at a position. Because the sum is limited, all other observations are
 * assumed to be as small as possible: equal to the upper order statistic if they follow it in the same
 * bucket, and otherwise at the lower edge of their bucket.
 */
export function findLargest(occupancy: Occupancy, position: Position): number {
  const { index, fraction } = position;
  const below = findBucket(occupancy, index);
  const above = fraction > 0 ? findBucket(occupancy, index + 1) : below;
  // Number of observations in bucket `above` from the upper order statistic on.
  const risingCount = countUpTo(occupancy, above) - (fraction > 0 ? index + 1 : index);
  const positions = fraction > 0 ? [below, above] : [above];
  const availableSum = occupancy.sum - computeMinSumOfOthers(occupancy, positions, above, risingCount);
  const lower = getEdges(occupancy, below);
  const upper = getEdges(occupancy, above);
  return fraction > 0
    ? findLargestPair(lower, upper, risingCount, availableSum, fraction)
    : findLargestSingle(upper, risingCount, availableSum);
}

/**
 * Returns the constraints on the negated observations. Their largest value is the negated smallest value of
 * the original observations. `minSum` is the lower limit on the sum of the original observations.
 */
export function mirrorOccupancy({ lower, upper, counts }: Occupancy, minSum: number): Occupancy {
  return {
    lower: upper.map(edge => -edge).reverse(),
    upper: lower.map(edge => -edge).reverse(),
    counts: counts.slice().reverse(),
    sum: -minSum,
  };
}

/** Returns the position of the same value among `count` negated observations. */
export function mirrorPosition({ index, fraction }: Position, count: number): Position {
  if (fraction === 0) return { index: count - 1 - index, fraction };
  return { index: count - 2 - index, fraction: 1 - fraction };
}

/** Finds the bucket that contains the order statistic with this index. */
function findBucket({ counts }: Occupancy, index: number): number {
  let end = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    end += counts[bucket]!;
    if (index < end) return bucket;
  }
  throw new RangeError(`BUG: no observation ${index} among ${end}`);
}

/** Counts the observations in a bucket and all lower buckets. */
function countUpTo({ counts }: Occupancy, bucket: number): number {
  return counts.subarray(0, bucket + 1).reduce((total, count) => total + count, 0);
}

function getEdges({ lower, upper }: Occupancy, bucket: number): Edges {
  return { lower: lower[bucket]!, upper: upper[bucket]! };
}

/**
 * Returns the smallest possible sum of the other observations. Excluded are `risingCount` observations of the
 * bucket `above` and, if `positions` contains two buckets, one observation of the first bucket.
 */
function computeMinSumOfOthers(
  { lower, counts }: Occupancy,
  positions: number[],
  above: number,
  risingCount: number,
): number {
  let sum = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    let others = counts[bucket]!;
    if (bucket === above) others -= risingCount;
    if (positions.length === 2 && bucket === positions[0]) others -= 1;
    if (others > 0) sum += others * lower[bucket]!;
  }
  return sum;
}

/**
 * Finds the largest a in its bucket with risingCount * a <= availableSum. Returns the upper edge if the sum
 * contradicts the counts.
 */
function findLargestSingle({ lower, upper }: Edges, risingCount: number, availableSum: number): number {
  const limit = availableSum / risingCount;
  return limit >= lower ? Math.min(upper, limit) : upper;
}

/**
 * Finds the largest (1 - fraction) a + fraction b with a <= b, each in its bucket, and a + risingCount * b <=
 * availableSum: a linear program in two variables, solved by comparing corners. A sum that is too small
 * contradicts the counts, and is ignored.
 */
function findLargestPair(
  below: Edges,
  above: Edges,
  risingCount: number,
  availableSum: number,
  fraction: number,
): number {
  const unlimited = (1 - fraction) * below.upper + fraction * above.upper;
  if (!(availableSum < Number.POSITIVE_INFINITY)) return unlimited;
  if (above.upper === Number.POSITIVE_INFINITY && below.lower === Number.NEGATIVE_INFINITY) return unlimited;
  const equal = availableSum / (1 + risingCount);
  const corners: [a: number, b: number][] = [
    [equal, equal],
    [below.upper, (availableSum - below.upper) / risingCount],
    [below.lower, (availableSum - below.lower) / risingCount],
    [availableSum - risingCount * above.lower, above.lower],
    [availableSum - risingCount * above.upper, above.upper],
    [below.upper, above.upper],
    [below.lower, above.upper],
    [below.upper, above.lower],
    [below.upper, below.upper],
  ];
  let largest = Number.NEGATIVE_INFINITY;
  for (const [a, b] of corners) {
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
    const fits = a + risingCount * b <= availableSum + 1e-12 * Math.abs(availableSum);
    const isInside = a >= below.lower && a <= below.upper && b >= above.lower && b <= above.upper;
    if (fits && isInside && a <= b) largest = Math.max(largest, (1 - fraction) * a + fraction * b);
  }
  return largest === Number.NEGATIVE_INFINITY ? unlimited : largest;
}
