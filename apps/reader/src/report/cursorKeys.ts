/** The visible points: the indices of the first and the last one. */
export type PointRange = readonly [first: number, last: number];

/** Finds the points between two values, inclusive; undefined if the range contains no point. `points` is ascending. */
export function findPointRange(points: ArrayLike<number>, from: number, to: number): PointRange | undefined {
  let first = 0;
  while (first < points.length && points[first]! < from) first++;
  let last = points.length - 1;
  while (last >= first && points[last]! > to) last--;
  return last < first ? undefined : [first, last];
}

/** The fraction of the visible points that Page Up and Page Down move by. */
const PAGE = 0.1;

/**
 * Moves the cursor by a key, as in a slider (WAI-ARIA Authoring Practices 1.2, "Slider"): arrows by one point,
 * Page Up and Page Down by a tenth, Home and End to the ends. Without a cursor, starts at the opposite end.
 * Returns undefined for other keys.
 */
export function moveCursor(key: string, at: number | null, [first, last]: PointRange): number | undefined {
  const page = Math.max(1, Math.round((last - first + 1) * PAGE));
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    PageUp: page,
    PageDown: -page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  const step = Object.hasOwn(steps, key) ? steps[key]! : undefined;
  if (step === undefined) return undefined;
  const from = at ?? (step > 0 ? first - 1 : last + 1);
  return Math.min(last, Math.max(first, from + step));
}
