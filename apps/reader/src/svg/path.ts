/** A point in pixels. */
export type Point = readonly [x: number, y: number];

/** Rounds to a tenth of a pixel, which no screen shows. */
export function roundPixel(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Rounds to half a pixel: lines are thicker than the difference, and their data are most of a page. */
function roundHalf(value: number): number {
  return Math.round(value * 2) / 2;
}

/** Writes connected points as path data, relative to each other and without points on a horizontal line between two others. */
export function writePath(points: readonly Point[]): string {
  const rounded = points.map(([x, y]): Point => [roundHalf(x), roundHalf(y)]);
  const kept = rounded.filter(([, y], i) => !(y === rounded[i - 1]?.[1] && y === rounded[i + 1]?.[1]));
  const [first, ...rest] = kept;
  if (!first) return '';
  let [lastX, lastY] = first;
  let lastCommand = 'M';
  const steps = rest.map(([x, y]) => {
    const { command, numbers } = chooseCommand(x - lastX, y - lastY);
    const step = command === lastCommand && !numbers.startsWith('-') ? ` ${numbers}` : numbers;
    const written = command === lastCommand ? step : `${command}${numbers}`;
    [lastX, lastY, lastCommand] = [x, y, command];
    return written;
  });
  const start = `M${writeNumber(first[0])} ${writeNumber(first[1])}`;
  return steps.length === 0 ? `${start}h0` : `${start}${steps.join('')}`;
}

/** Returns the shortest command for a step: horizontal, vertical or any other. */
function chooseCommand(x: number, y: number): { readonly command: string; readonly numbers: string } {
  if (y === 0) return { command: 'h', numbers: writeNumber(x) };
  if (x === 0) return { command: 'v', numbers: writeNumber(y) };
  return { command: 'l', numbers: `${writeNumber(x)}${y < 0 ? '' : ' '}${writeNumber(y)}` };
}

function writeTenths(tenths: number): string {
  return writeNumber(tenths / 10);
}

/** Writes a number without the 0 before its point. */
function writeNumber(value: number): string {
  const text = String(value);
  return value > -1 && value < 1 ? text.replace(/^(-?)0\./, '$1.') : text;
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
