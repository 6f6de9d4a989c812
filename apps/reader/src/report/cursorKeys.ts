/** Points that are in sight, by index: the first and the last one. */
export type PointRange = readonly [first: number, last: number];

/** The points between two values, both included; undefined where there is none. `points` ascend. */
export function findPointRange(points: ArrayLike<number>, from: number, to: number): PointRange | undefined {
  let first = 0;
  while (first < points.length && points[first]! < from) first++;
  let last = points.length - 1;
  while (last >= first && points[last]! > to) last--;
  return last < first ? undefined : [first, last];
}

/** Page Up and Page Down go over so many of the points that are in sight. */
const PAGE = 0.1;

/**
 * Where a key takes the cursor, as with a slider (WAI-ARIA Authoring Practices 1.2, "Slider"): arrows to the next point,
 * Page Up and Page Down by a tenth, Home and End to the ends. Without a cursor, it comes in from the side it would leave.
 * Undefined for keys that are for something else.
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
