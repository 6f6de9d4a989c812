import type {
  BandLayer,
  Layer,
  LineLayer,
  PointAxis,
  TimeChart,
  Values,
} from '../../../svg/timeChartModel.ts';
import type { Column } from '../../document.ts';
import { roundSeconds, roundValues } from '../../model/values.ts';
import type { MultipleRow, Strips } from '../document.ts';
import { findQuantityLines, QUANTITIES, type QuantityLines } from './quantities.ts';
import { type Line, readAt, type SideCourse, sample } from './sideCourse.ts';
import type { Side } from './sides.ts';

/** Draws all benchmarks over time, in common charts. Returns undefined if fewer than two have data over time. */
export function buildStrips(courses: readonly SideCourse[]): Strips | undefined {
  const lines = QUANTITIES.flatMap(quantity => findQuantityLines(quantity, courses) ?? []);
  const timelines = courses.flatMap(({ runs }) => runs.flatMap(({ timeline }) => timeline ?? []));
  const [first] = timelines;
  if (!first || lines.length === 0) return undefined;
  const sides = courses.map(({ side }) => side);
  const build = (column: 'client' | 'server', title: string): Column => ({
    title,
    charts: lines.filter(({ quantity }) => quantity.column === column).map(found => buildStrip(found, sides)),
  });
  const ends = timelines.flatMap(({ marks }) => marks.profiling?.[1] ?? []);
  return {
    range: [
      Math.min(...timelines.map(({ range }) => range[0])),
      Math.max(...timelines.map(({ range }) => range[1])),
    ],
    start: first.start,
    meanings: Object.assign({}, ...timelines.map(({ meanings }) => meanings)),
    marks: {
      ...(ends.length > 0 && { profiling: [0, Math.max(...ends)] as const }),
      intervals: [],
      moments: [],
    },
    columns: [build('client', 'Load and answers'), build('server', 'What the servers did')],
    more: [],
    notes: describeStrips(lines, sides, timelines.length),
  };
}

function buildStrip({ quantity, sides: lines, metrics }: QuantityLines, sides: readonly Side[]): TimeChart {
  const { id, title, unit, column, help } = quantity;
  const drawn = lines.map((runs, i) => drawSide(runs, sides[i]!, i === 0));
  const [base, other] = lines;
  const hasDifference = lines.length === 2 && base!.length === 1 && other!.length === 1;
  return {
    id: `strip-${id}`,
    side: column,
    title,
    unit,
    metrics,
    help,
    axis: lines.flat()[0]!.axis,
    layers: [...(hasDifference ? [shadeDifference(base![0]!, other![0]!)] : []), ...drawn.flat()],
  };
}

/** Draws a benchmark: the line of its run or, with repeated runs, their median and the range of all of them. */
function drawSide(runs: readonly Line[], { name, color }: Side, isBase: boolean): Layer[] {
  const style = isBase ? ({ isDashed: true } as const) : {};
  if (runs.length <= 1)
    return runs.map(({ values, axis }): LineLayer => ({ form: 'line', name, color, values, axis, ...style }));
  const { axis, lists } = alignLines(runs);
  const reduce = (pick: (sorted: readonly number[]) => number): Values =>
    roundValues(lists.map(values => (values.length === 0 ? null : pick([...values].sort((a, b) => a - b)))));
  const band: BandLayer = {
    form: 'band',
    name: `${name}, all runs`,
    color,
    axis,
    low: reduce(sorted => sorted[0]!),
    high: reduce(sorted => sorted.at(-1)!),
  };
  return [band, { form: 'line', name, color, axis, values: reduce(findMedian), ...style }];
}

function findMedian(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Lists the known values of several lines at the same times, with the points of the coarsest line. */
function alignLines(lines: readonly Line[]): { axis: PointAxis; lists: number[][] } {
  const step = Math.max(...lines.map(({ axis }) => axis.step));
  const from = roundSeconds(Math.min(...lines.map(({ axis }) => axis.from)));
  const to = Math.max(...lines.map(({ axis, values }) => axis.from + values.length * axis.step));
  const count = Math.max(1, Math.round((to - from) / step));
  const lists = Array.from({ length: count }, (_, i) =>
    lines.flatMap(line => readAt(line, from + (i + 0.5) * step) ?? []),
  );
  return { axis: { from, step }, lists };
}

/** Shades the difference between two lines where both are known. */
function shadeDifference(base: Line, other: Line): BandLayer {
  const { axis, lists } = alignLines([base, other]);
  const reduce = (pick: (...values: number[]) => number): Values =>
    lists.map(values => (values.length < 2 ? null : pick(...values)));
  return {
    form: 'band',
    name: 'difference',
    color: 'grey',
    axis,
    low: reduce(Math.min),
    high: reduce(Math.max),
    isBetweenLines: true,
  };
}

function describeStrips(lines: readonly QuantityLines[], sides: readonly Side[], runs: number): string[] {
  const missing = lines.flatMap(({ quantity, missing: names }) =>
    names.length > 0 && names.length < sides.length
      ? [`${quantity.title}: nothing to draw for ${names.join(', ')}.`]
      : [],
  );
  const sources = new Set(
    lines
      .filter(({ quantity }) => quantity.column === 'client')
      .map(({ metrics }) => metrics.some(isServerName)),
  );
  return [
    `0 s is the start of profiling of each run. The dashed grey line is the baseline, ${sides[0]!.name}.`,
    ...(runs > sides.length
      ? ['Of repeated runs, the line is the median, and the band covers all of them.']
      : []),
    ...(sources.has(true) ? ["Not all runs have client data, so the servers' values are compared."] : []),
    ...missing,
  ];
}

function isServerName(metric: string): boolean {
  return metric.includes(':') || /_seconds$/.test(metric);
}

/** The number of points of a small chart. */
const SMALL_POINTS = 80;
/** The quantities of small charts. */
const SMALL: ReadonlySet<string> = new Set([
  'requests',
  'ttft',
  'itl',
  'latency',
  'running',
  'waiting',
  'kv-cache',
  'tokens',
]);

/** Draws each benchmark with the baseline in a small chart, one row for each quantity. */
export function buildMultiples(courses: readonly SideCourse[]): MultipleRow[] {
  return QUANTITIES.filter(({ id }) => SMALL.has(id)).flatMap(quantity => {
    const found = findQuantityLines(quantity, courses);
    return found && found.sides[0]!.length > 0 ? [buildMultipleRow(found, courses)] : [];
  });
}

function buildMultipleRow({ quantity, sides }: QuantityLines, courses: readonly SideCourse[]): MultipleRow {
  const all = sides.flat();
  const to = Math.max(...all.map(({ axis, values }) => axis.from + axis.step * values.length));
  const axis = { from: 0, step: to / SMALL_POINTS };
  const draw = (lines: readonly Line[]): Values => {
    const [first] = lines;
    return first ? roundValues(sample(first, axis, SMALL_POINTS)) : [];
  };
  const drawn = sides.map(draw);
  const [baseline = [], ...others] = drawn;
  const known = drawn.flat().filter(value => value !== null);
  return {
    id: `multiple-${quantity.id}`,
    title: quantity.title,
    unit: quantity.unit,
    top: known.reduce((a, b) => Math.max(a, b), 0) || 1,
    baseline,
    charts: others.map((values, i) => {
      const { name, color } = courses[i + 1]!.side;
      return { name, color, values };
    }),
  };
}
