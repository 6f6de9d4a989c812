import { MARKER_RADIUS, writeMarker } from './markers.ts';
import { writeElement } from './markup.ts';
import { type Point, roundPixel, splitRuns, writeArea, writePath } from './path.ts';
import { drawXyAxes, writeText } from './xyAxes.ts';
import type { XyChart, XyPoint, XySeries } from './xyChartModel.ts';
import {
  createXyScales,
  type DrawingSize,
  measureXyPlot,
  type PlotEdges,
  type XyScales,
} from './xyExtent.ts';
import { drawIntervals } from './xyIntervals.ts';
import { drawPointLabels } from './xyLabels.ts';

/** Draws a chart of points as SVG. */
export function drawXyChart(chart: XyChart, size: DrawingSize): string {
  const plot = measureXyPlot(chart, size);
  const scales = createXyScales(chart, size);
  return writeElement(
    'svg',
    {
      class: 'drawing',
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: 'img',
      'aria-label': describeXyChart(chart),
    },
    drawZone(chart, scales, plot),
    drawXyAxes(chart, scales, plot, size),
    ...chart.series.map(series => (series.isArea ? drawFilled(series, scales) : '')),
    ...drawXyLimits(chart, scales, plot),
    ...chart.series.map(series => drawLine(series, scales)),
    ...chart.series.map(series => drawIntervals(series, scales, plot)),
    ...chart.series.map(series => drawMarkers(series, scales)),
    drawPointLabels(listLabels(chart, scales), plot),
  );
}

/** A point of a chart with its position in pixels. */
export interface PointTarget {
  readonly left: number;
  readonly top: number;
  readonly text: string;
}

/** Lists the points of a chart from left to right, for the cursor of the page. */
export function listTargets(chart: XyChart, size: DrawingSize): PointTarget[] {
  const scales = createXyScales(chart, size);
  return chart.series
    .flatMap(({ points, isBare }) => (isBare ? [] : points.filter(isDrawable)))
    .map(point => ({ ...place(point, scales), text: point.text }))
    .sort((a, b) => a.left - b.left);
}

/** Describes a chart for screen readers: its points, up to a number that can be listened to. */
export function describeXyChart({ title, series }: XyChart): string {
  const points = series.filter(({ isBare }) => !isBare).flatMap(each => each.points.filter(isDrawable));
  const texts = points.slice(0, MAX_DESCRIBED).map(({ text }) => text);
  const more = points.length - texts.length;
  return `${title}: ${texts.join('; ') || 'no data'}${more > 0 ? `; ${more} more points` : ''}`;
}

const MAX_DESCRIBED = 12;
/** The radius of a ring around a marker, in pixels, and its path from the left. */
const RING = 9;
const RING_PATH = `a${RING} ${RING} 0 1 0 ${2 * RING} 0a${RING} ${RING} 0 1 0 ${-2 * RING} 0z`;

function isDrawable({ x, y }: XyPoint): boolean {
  return Number.isFinite(x) && Number.isFinite(y);
}

function place({ x, y }: XyPoint, scales: XyScales): { left: number; top: number } {
  return { left: scales.x.toPixel(x), top: scales.y.toPixel(y) };
}

function drawZone({ hasZone, limits = [] }: XyChart, { y }: XyScales, plot: PlotEdges): string {
  const [limit] = limits;
  if (!hasZone || !limit) return '';
  const top = Math.max(plot.top, y.toPixel(limit.value));
  return writeElement('rect', {
    class: 'zone',
    x: plot.left,
    y: roundPixel(top),
    width: plot.right - plot.left,
    height: roundPixel(Math.max(0, plot.bottom - top)),
  });
}

function drawXyLimits({ limits = [] }: XyChart, { y }: XyScales, plot: PlotEdges): string[] {
  return limits
    .filter(({ value }) => value <= y.domain[1] && value >= y.domain[0])
    .map(({ value, name }) => {
      const at = roundPixel(y.toPixel(value));
      const textAt = at < plot.top + 14 ? at + 12 : at - 4;
      return (
        writeElement('path', { class: 'limit', d: `M${plot.left} ${at}H${plot.right}` }) +
        writeText('mark limit-name', plot.left + 4, textAt, name)
      );
    });
}

function toPoints({ points }: XySeries, scales: XyScales): (Point | null)[] {
  return points.map(point => {
    if (!isDrawable(point)) return null;
    const { left, top } = place(point, scales);
    return [left, top];
  });
}

function drawFilled(series: XySeries, scales: XyScales): string {
  const pairs = toPoints(series, scales).map((upper, i) =>
    upper ? ([upper, [upper[0], scales.y.toPixel(series.points[i]!.base ?? 0)] as Point] as const) : null,
  );
  const path = splitRuns(pairs)
    .map(run =>
      writeArea(
        run.map(([upper]) => upper),
        run.map(([, lower]) => lower),
      ),
    )
    .join('');
  return path === '' ? '' : writeElement('path', { class: `area f-${series.color}`, d: path });
}

function drawLine(series: XySeries, scales: XyScales): string {
  if (!series.line) return '';
  const runs = splitRuns(toPoints(series, scales));
  const path = runs.map(writePath).join('');
  if (path === '') return '';
  const style = series.line === 'solid' ? '' : ` ${series.line}`;
  const arrow = series.hasArrow ? drawArrow(runs.at(-1)!, series.color) : '';
  return writeElement('path', { class: `line s-${series.color}${style}`, d: path }) + arrow;
}

/** Draws the head of an arrow before the last point of a line, so that it does not cover the point. */
function drawArrow(points: readonly Point[], color: string): string {
  const [from, to] = [points.at(-2), points.at(-1)];
  if (!from || !to) return '';
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 4 * MARKER_RADIUS) return '';
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const tip: Point = [to[0] - dx * (MARKER_RADIUS + 3), to[1] - dy * (MARKER_RADIUS + 3)];
  const side = (sign: number): string =>
    `${roundPixel(tip[0] - 9 * dx - sign * 4.5 * dy)} ${roundPixel(tip[1] - 9 * dy + sign * 4.5 * dx)}`;
  const d = `M${roundPixel(tip[0])} ${roundPixel(tip[1])}L${side(1)}L${side(-1)}z`;
  return writeElement('path', { class: `arrow f-${color}`, d });
}

function drawMarkers({ points, color, marker, isArea, isBare }: XySeries, scales: XyScales): string {
  if (isArea || isBare) return '';
  const drawn = points.filter(isDrawable).map(point => ({ point, ...place(point, scales) }));
  if (drawn.length === 0) return '';
  const d = drawn.map(({ left, top }) => writeMarker(marker, left, top)).join('');
  const rings = drawn
    .filter(({ point }) => point.isRinged)
    .map(({ left, top }) => `M${roundPixel(left - RING)} ${roundPixel(top)}${RING_PATH}`);
  return (
    writeElement('path', { class: `marker f-${color}${marker === 'dot' ? ' repeat' : ''}`, d }) +
    (rings.length === 0 ? '' : writeElement('path', { class: `ring s-${color}`, d: rings.join('') }))
  );
}

function listLabels({ series }: XyChart, scales: XyScales): { text: string; left: number; top: number }[] {
  return series.flatMap(({ points }) =>
    points
      .filter(isDrawable)
      .flatMap(point => (point.label === undefined ? [] : [{ text: point.label, ...place(point, scales) }])),
  );
}
