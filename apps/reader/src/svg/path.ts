/** A point in pixels. */
export type Point = readonly [x: number, y: number];

/** Rounds to a tenth of a pixel, which no screen shows. */
export function roundPixel(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Writes connected points as path data, relative to each other and without points on a horizontal line between two others. */
export function writePath(points: readonly Point[]): string {
  const rounded = points.map(([x, y]): Point => [Math.round(x * 10), Math.round(y * 10)]);
  const kept = rounded.filter(([, y], i) => !(y === rounded[i - 1]?.[1] && y === rounded[i + 1]?.[1]));
  const [first, ...rest] = kept;
  if (!first) return '';
  let [lastX, lastY] = first;
  const steps = rest.map(([x, y]) => {
    const step = `${writeTenths(x - lastX)}${y < lastY ? '' : ' '}${writeTenths(y - lastY)}`;
    [lastX, lastY] = [x, y];
    return step;
  });
  const start = `M${writeTenths(first[0])} ${writeTenths(first[1])}`;
  return steps.length === 0 ? `${start}h0` : `${start}l${steps.join(' ')}`;
}

function writeTenths(tenths: number): string {
  return String(tenths / 10).replace(/^(-?)0\./, '$1.');
}

/** Writes a shape at each point as path data, from left to right and relative to each other. The shape must end where it begins. */
export function writeMarks(points: readonly Point[], shape: string): string {
  let [lastX, lastY] = [0, 0];
  return points
    .map(([x, y]): Point => [Math.round(x * 10), Math.round(y * 10)])
    .sort(([a], [b]) => a - b)
    .map(([x, y]) => {
      const step = `m${writeTenths(x - lastX)}${y < lastY ? '' : ' '}${writeTenths(y - lastY)}${shape}`;
      [lastX, lastY] = [x, y];
      return step;
    })
    .join('');
}

/** Splits points with unknown values (null) into runs of known ones. */
export function splitRuns<T>(points: readonly (T | null)[]): T[][] {
  const runs: T[][] = [];
  let run: T[] = [];
  for (const point of points) {
    if (point !== null) run.push(point);
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  return run.length > 0 ? [...runs, run] : runs;
}

/** Writes the outline of the area between two lines of the same length. */
export function writeArea(upper: readonly Point[], lower: readonly Point[]): string {
  return `${writePath([...upper, ...[...lower].reverse()])}z`;
}
