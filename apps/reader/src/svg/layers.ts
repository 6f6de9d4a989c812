import type { StackedArea } from './extent.ts';
import { writeElement } from './markup.ts';
import { type Point, roundPixel, splitRuns, writeArea, writeMarks, writePath } from './path.ts';
import type { Scale } from './scale.ts';
import type {
  BandLayer,
  DotLayer,
  EventLayer,
  Layer,
  LineLayer,
  PointAxis,
  Values,
} from './timeChartModel.ts';

/** The scales of a chart over time. */
export interface ChartScales {
  readonly x: Scale;
  readonly y: Scale;
}

/** Height of the marks of events, in pixels. */
const EVENT_HEIGHT = 7;

/** A cross around a point, as path data that ends where it begins. */
const CROSS = 'm-3-3l6 6m0-6l-6 6m3-3';

/** Draws a layer. Areas are drawn by `drawArea`, because they are stacked. */
export function drawLayer(layer: Layer, axis: PointAxis, scales: ChartScales): string {
  switch (layer.form) {
    case 'line':
    case 'step':
      return drawLine(layer, axis, scales);
    case 'band':
      return drawBand(layer, axis, scales);
    case 'dots':
    case 'crosses':
      return drawDots(layer, scales);
    case 'events':
      return drawEvents(layer, scales);
    case 'area':
      return '';
  }
}

function drawLine(
  { form, values, color, isDashed, isThin }: LineLayer,
  axis: PointAxis,
  scales: ChartScales,
): string {
  const { x } = scales;
  const points = form === 'step' ? toSteps(values, axis, scales) : toPoints(values, axis, scales);
  const half = (x.toPixel(axis.from + axis.step) - x.toPixel(axis.from)) / 2;
  const path = splitRuns(points)
    .map(run => writePath(widenSingle(run, half)))
    .join('');
  if (path === '') return '';
  const style = `${isDashed ? ' dashed' : ''}${isThin ? ' thin' : ''}`;
  return writeElement('path', { class: `line s-${color}${style}`, d: path });
}

/** Returns a line over the time of a value that has no neighbors, which would be an invisible point. */
function widenSingle(run: readonly Point[], half: number): readonly Point[] {
  const [first] = run;
  if (run.length !== 1 || !first) return run;
  const [x, y] = first;
  return [
    [x - half, y],
    [x + half, y],
  ];
}

function toPoints(values: Values, axis: PointAxis, { x, y }: ChartScales): (Point | null)[] {
  return values.map((value, i) =>
    value === null ? null : [x.toPixel(axis.from + (i + 0.5) * axis.step), y.toPixel(value)],
  );
}

/** Returns two points per value: from the start to the end of its time. */
function toSteps(values: Values, axis: PointAxis, { x, y }: ChartScales): (Point | null)[] {
  return values.flatMap((value, i): (Point | null)[] => {
    if (value === null) return [null];
    const [left, right] = [axis.from + i * axis.step, axis.from + (i + 1) * axis.step];
    return [
      [x.toPixel(left), y.toPixel(value)],
      [x.toPixel(right), y.toPixel(value)],
    ];
  });
}

/** Draws the range between two lines. A range without an upper bound ends at the top of the chart. */
function drawBand(
  { low, high, color, isBetweenLines }: BandLayer,
  axis: PointAxis,
  scales: ChartScales,
): string {
  const top = scales.y.domain[1];
  const filled = low.map((value, i) => (value === null ? null : Math.max(value, high[i] ?? top)));
  const place = isBetweenLines ? toPoints : toSteps;
  return drawBetween(
    [low, filled].map(values => place(values, axis, scales)),
    `band f-${color}`,
  );
}

/** Draws a stacked area. */
export function drawArea({ layer, lower, upper }: StackedArea, axis: PointAxis, scales: ChartScales): string {
  return drawBetween(
    [lower, upper].map(values => toSteps(values, axis, scales)),
    `area f-${layer.color}`,
  );
}

/** Fills the area between two lines where both are known. */
function drawBetween([bottoms, tops]: readonly (readonly (Point | null)[])[], className: string): string {
  const pairs = tops!.map((point, i) => (point && bottoms![i] ? ([point, bottoms![i]] as const) : null));
  const path = splitRuns(pairs)
    .map(run =>
      writeArea(
        run.map(([point]) => point),
        run.map(([, point]) => point),
      ),
    )
    .join('');
  return path === '' ? '' : writeElement('path', { class: className, d: path });
}

/** Draws single observations. Those above the chart become small triangles at its top. */
function drawDots({ form, points, color }: DotLayer, { x, y }: ChartScales): string {
  const [from, to] = x.domain;
  const visible = points.filter(([seconds]) => seconds >= from && seconds <= to);
  const inside = visible.filter(([, value]) => value <= y.domain[1]);
  const above = visible.filter(([, value]) => value > y.domain[1]);
  const shape = form === 'crosses' ? CROSS : 'h0';
  const dots = writeMarks(
    // Whole pixels, because a dot is wider than the difference.
    inside.map(([seconds, value]) => [Math.round(x.toPixel(seconds)), Math.round(y.toPixel(value))]),
    shape,
  );
  const carets = above
    .map(
      ([seconds]) =>
        `M${roundPixel(x.toPixel(seconds) - 3)} ${roundPixel(y.toPixel(y.domain[1]) + 6)}l3-5l3 5z`,
    )
    .join('');
  return (
    (dots && writeElement('path', { class: `${form} s-${color}`, d: dots })) +
    (carets && writeElement('path', { class: `f-${color}`, d: carets }))
  );
}

function drawEvents({ times, color }: EventLayer, { x, y }: ChartScales): string {
  const [from, to] = x.domain;
  const bottom = roundPixel(y.toPixel(y.domain[0]));
  const path = times
    .filter(seconds => seconds >= from && seconds <= to)
    .map(seconds => `M${roundPixel(x.toPixel(seconds))} ${bottom}v-${EVENT_HEIGHT}`)
    .join('');
  return path === '' ? '' : writeElement('path', { class: `line s-${color}`, d: path });
}
