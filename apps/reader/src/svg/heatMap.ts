import { formatNumber } from '@org/core';
import type { TimeRange } from './extent.ts';
import { writeLabels } from './labels.ts';
import { writeElement } from './markup.ts';
import { type Point, roundPixel, splitRuns, writePath } from './path.ts';
import { createLinearScale, type Scale } from './scale.ts';
import { formatTick } from './ticks.ts';
import type { PointAxis, Side, Values } from './timeChartModel.ts';
import { drawTimeLabels } from './timeLabels.ts';

/** The number of observations over time, by value. */
export interface HeatMapData {
  readonly side: Side;
  readonly title: string;
  readonly axis: PointAxis;
  /** The edges of the rows, in ascending order; null as the last edge stands for infinity. */
  readonly edges: readonly (number | null)[];
  /** Counts by time and row. */
  readonly counts: readonly (readonly number[])[];
  /** The median of a baseline over time, in the unit of the edges. */
  readonly baseline?: { readonly axis: PointAxis; readonly values: Values };
}

/** The same space as in charts over time, so that the time axes are aligned. */
const MARGIN = { left: 46, right: 34, top: 6, bottom: 20 };
/** The number of shades. Cells of one shade are one path, which keeps the page small. */
const SHADES = 6;
/** Minimum height of a label, in pixels. */
const LABEL_HEIGHT = 14;

/** Draws a heat map. All rows have the same height, so that the axis is logarithmic if the buckets are. */
export function drawHeatMap(map: HeatMapData, width: number, height: number, range: TimeRange): string {
  const rows = map.edges.length - 1;
  const plot = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const x = createLinearScale(range, [MARGIN.left, MARGIN.left + plot.width]);
  const toY = (edge: number): number => MARGIN.top + plot.height * (1 - edge / rows);
  return writeElement(
    'svg',
    { class: 'drawing', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': describeHeatMap(map) },
    ...drawCells(map, x, plot.height / rows),
    drawBaseline(map, x, toY),
    drawEdges(map.edges, toY, plot.height),
    drawTimeLabels(createLinearScale(range, [0, plot.width]), MARGIN.left, plot.width, height - 5),
  );
}

/** Draws the median of the baseline as a dashed line. Within a row, distances are linear. */
function drawBaseline({ baseline, edges }: HeatMapData, x: Scale, toY: (edge: number) => number): string {
  if (!baseline) return '';
  const { axis, values } = baseline;
  const points = values.map((value, i): Point | null => {
    const seconds = axis.from + (i + 0.5) * axis.step;
    const isVisible = seconds >= x.domain[0] && seconds <= x.domain[1];
    return value === null || !isVisible ? null : [x.toPixel(seconds), toY(findPlace(value, edges))];
  });
  const d = splitRuns(points).map(writePath).join('');
  return d === '' ? '' : writeElement('path', { class: 'line s-grey dashed', d });
}

/** Returns the place of a value in the rows: 1.5 is in the middle of the second row. Values outside are at the edge. */
function findPlace(value: number, edges: HeatMapData['edges']): number {
  const rows = edges.length - 1;
  const above = edges.findIndex(edge => edge === null || edge >= value);
  if (above <= 0) return above < 0 ? rows : 0;
  const [from, to] = [edges[above - 1]!, edges[above]];
  return to == null ? above - 0.5 : above - 1 + (value - from) / (to - from);
}

/** Draws the cells: one path for each shade, whose lines are as thick as a row is high. */
function drawCells({ axis, counts, edges, side }: HeatMapData, x: Scale, rowHeight: number): string[] {
  const most = findMost(counts);
  const rows = edges.length - 1;
  // With a square root, cells with few observations remain visible.
  const toShade = (count: number): number =>
    Math.min(SHADES - 1, Math.floor(Math.sqrt(count / most) * SHADES));
  const toX = (bin: number): number => x.toPixel(axis.from + bin * axis.step);
  return Array.from({ length: SHADES }, (_, shade) => {
    const d = Array.from({ length: rows }, (_, row) => {
      const isDrawn = (bin: number): boolean =>
        counts[bin]![row]! > 0 && toShade(counts[bin]![row]!) === shade;
      return drawRow(counts.length, isDrawn, toX, MARGIN.top + (rows - row - 0.5) * rowHeight);
    }).join('');
    if (d === '') return '';
    return writeElement('path', {
      class: `cells heat-${shade} s-${side}`,
      'stroke-width': roundPixel(rowHeight),
      d,
    });
  });
}

/** Writes the drawn cells of a row as path data: horizontal lines, with neighbors as one line. */
function drawRow(
  bins: number,
  isDrawn: (bin: number) => boolean,
  toX: (bin: number) => number,
  y: number,
): string {
  const parts: string[] = [];
  let last: number | undefined;
  for (let bin = 0; bin < bins; bin++) {
    if (!isDrawn(bin)) continue;
    const start = roundPixel(toX(bin));
    while (bin + 1 < bins && isDrawn(bin + 1)) bin++;
    const end = roundPixel(toX(bin + 1));
    const move = last === undefined ? `M${start} ${roundPixel(y)}` : `m${roundPixel(start - last)} 0`;
    parts.push(`${move}h${roundPixel(end - start)}`);
    last = end;
  }
  return parts.join('');
}

/** Draws the shades of a heat map, from few to many observations. */
export function drawShadeScale(side: Side): string {
  const shades = Array.from({ length: SHADES }, (_, i) =>
    writeElement('rect', { class: `heat-${i} f-${side}`, x: i * 10, y: 0, width: 10, height: 10 }),
  );
  return writeElement('svg', { class: 'shades', viewBox: '0 0 60 10', 'aria-hidden': 'true' }, ...shades);
}

/** Returns the highest number of observations in a cell. */
export function findMost(counts: HeatMapData['counts']): number {
  return counts.reduce((highest, row) => row.reduce((a, b) => Math.max(a, b), highest), 0);
}

function drawEdges(edges: HeatMapData['edges'], toY: (edge: number) => number, height: number): string {
  const every = Math.max(1, Math.ceil((edges.length * LABEL_HEIGHT) / height));
  const labels = edges.flatMap((edge, i) =>
    i % every === 0
      ? [
          {
            x: MARGIN.left - 6,
            y: Math.max(12, toY(i) + 4),
            text: edge === null ? '∞' : formatTick(edge),
          },
        ]
      : [],
  );
  return writeLabels('tick end', labels);
}

/** Describes a heat map for screen readers: the number of observations, and the row with most of them. */
function describeHeatMap({ title, edges, counts }: HeatMapData): string {
  const totals = edges.slice(1).map((_, row) => counts.reduce((sum, each) => sum + each[row]!, 0));
  const all = totals.reduce((sum, count) => sum + count, 0);
  const fullest = totals.indexOf(totals.reduce((a, b) => Math.max(a, b), 0));
  const [from, to] = [edges[fullest], edges[fullest + 1]];
  const range =
    to == null
      ? `above ${formatNumber(from ?? 0)}`
      : `from ${formatNumber(from ?? 0)} to ${formatNumber(to)}`;
  return `${title}, as a heat map of ${formatNumber(all)} observations; most are ${range}`;
}
