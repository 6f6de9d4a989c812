import { formatNumber } from '@org/core';
import type { TimeRange } from './extent.ts';
import { escapeText, writeElement } from './markup.ts';
import { roundPixel } from './path.ts';
import { createLinearScale } from './scale.ts';
import { formatTick, formatTime, listTimeTicks } from './ticks.ts';
import type { PointAxis, Side } from './timeChartModel.ts';

/** The number of observations over time, by value. */
export interface HeatMapData {
  readonly side: Side;
  readonly title: string;
  readonly axis: PointAxis;
  /** The edges of the rows, in ascending order; null as the last edge stands for infinity. */
  readonly edges: readonly (number | null)[];
  /** Counts by time and row. */
  readonly counts: readonly (readonly number[])[];
}

/** The same space as in charts over time, so that the time axes are aligned. */
const MARGIN = { left: 46, right: 34, top: 6, bottom: 20 };
/** The number of shades. Cells of one shade are one path, which keeps the page small. */
const SHADES = 6;
/** Minimum height of a label, in pixels. */
const LABEL_HEIGHT = 14;
const LABEL_WIDTH = 84;

/** Draws a heat map. All rows have the same height, so that the axis is logarithmic if the buckets are. */
export function drawHeatMap(map: HeatMapData, width: number, height: number, range: TimeRange): string {
  const rows = map.edges.length - 1;
  const plot = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const x = createLinearScale(range, [MARGIN.left, MARGIN.left + plot.width]);
  const toY = (edge: number): number => MARGIN.top + plot.height * (1 - edge / rows);
  const most = findMost(map.counts);
  const paths = Array.from({ length: SHADES }, () => '');
  for (const [i, row] of map.counts.entries()) {
    const left = roundPixel(x.toPixel(map.axis.from + i * map.axis.step));
    const cell = roundPixel(x.toPixel(map.axis.from + (i + 1) * map.axis.step) - left);
    for (const [edge, count] of row.entries()) {
      if (count <= 0) continue;
      // With a square root, cells with few observations remain visible.
      const shade = Math.min(SHADES - 1, Math.floor(Math.sqrt(count / most) * SHADES));
      const [top, bottom] = [roundPixel(toY(edge + 1)), roundPixel(toY(edge))];
      paths[shade] += `M${left} ${top}h${cell}V${bottom}h-${cell}z`;
    }
  }
  return writeElement(
    'svg',
    { class: 'drawing', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': describeHeatMap(map) },
    ...paths.map((d, shade) =>
      d === '' ? '' : writeElement('path', { class: `heat-${shade} f-${map.side}`, d }),
    ),
    drawEdges(map.edges, toY, plot.height),
    ...listTimeTicks(...range, Math.floor(plot.width / LABEL_WIDTH)).map(seconds => {
      const at = x.toPixel(seconds);
      const anchor =
        at > width - MARGIN.right - LABEL_WIDTH / 3 ? 'end' : at < MARGIN.left + 12 ? '' : 'middle';
      return writeElement(
        'text',
        { class: `tick ${anchor}`, x: roundPixel(at), y: height - 5 },
        escapeText(formatTime(seconds)),
      );
    }),
  );
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
  return edges
    .map((edge, i) =>
      i % every === 0
        ? writeElement(
            'text',
            { class: 'tick end', x: MARGIN.left - 6, y: roundPixel(Math.max(12, toY(i) + 4)) },
            edge === null ? '∞' : formatTick(edge),
          )
        : '',
    )
    .join('');
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
