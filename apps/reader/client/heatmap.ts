import { max, sum } from '@org/analysis/browser';
import { formatValue } from '@org/core';
import type uPlot from 'uplot';
import type { Heatmap, Timeline } from '../src/report/document.ts';
import { drawTimeChart } from './chart.ts';
import { getColor } from './theme.ts';
import { formatTime } from './timeAxis.ts';
import type { Zoom } from './zoom.ts';

/** The maximum number of labels on the bucket axis. */
const MAX_LABELS = 6;
/** Height of the chart, in pixels. */
const HEIGHT = 200;
/** Opacity of a cell with the fewest observations. */
const MIN_OPACITY = 0.08;

/** Draws a heat map with one row per bucket, from bottom to top. All rows have the same height. */
export function drawHeatmap(
  box: HTMLElement,
  heatmap: Heatmap,
  timeline: Timeline,
  zoom: Zoom,
  readout: HTMLElement,
): uPlot {
  const rows = heatmap.bounds.length;
  const maxCount = heatmap.counts.reduce(
    (largest, counts) => counts.reduce((a, b) => Math.max(a, b), largest),
    0,
  );
  const step = Math.max(1, Math.ceil(rows / MAX_LABELS));
  return drawTimeChart(box, {
    timeline,
    zoom,
    lines: [timeline.seconds.map(() => null)],
    height: HEIGHT,
    yRange: [0, rows],
    listYTicks: () => Array.from({ length: Math.floor(rows / step) }, (_, i) => (i + 1) * step),
    formatYTicks: ticks => ticks.map(tick => formatBound(heatmap, Math.round(tick) - 1)),
    draw: chart => drawCells(chart, heatmap, timeline, maxCount),
    readout,
    describe: index => describeBin(heatmap, timeline, index),
  });
}

function formatBound({ bounds, unit }: Heatmap, row: number): string {
  const bound = bounds[row];
  return bound == null ? '+Inf' : formatValue(bound, unit);
}

function drawCells(
  chart: uPlot,
  heatmap: Heatmap,
  { seconds, binSeconds }: Timeline,
  maxCount: number,
): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = getColor('heat');
  for (const [bin, counts] of heatmap.counts.entries()) {
    const left = chart.valToPos(seconds[bin]! - binSeconds / 2, 'x', true);
    const right = chart.valToPos(seconds[bin]! + binSeconds / 2, 'x', true);
    if (right < bbox.left || left > bbox.left + bbox.width) continue;
    for (const [row, count] of counts.entries()) {
      if (count === 0) continue;
      const top = chart.valToPos(row + 1, 'y', true);
      const bottom = chart.valToPos(row, 'y', true);
      // With a square root, cells with few observations remain visible.
      ctx.globalAlpha = MIN_OPACITY + (1 - MIN_OPACITY) * Math.sqrt(count / maxCount);
      ctx.fillRect(left, top, Math.max(1, right - left), bottom - top);
    }
  }
  ctx.restore();
}

/** Describes the observations in a bin: their number, and the bucket with most of them. */
export function describeBin(heatmap: Heatmap, { seconds }: Pick<Timeline, 'seconds'>, index: number): string {
  const counts = heatmap.counts[index] ?? [];
  const total = sum(counts);
  const time = formatTime(seconds[index]!);
  if (total === 0) return `${time}: no observations`;
  const fullestBucket = counts.indexOf(max(counts));
  return `${time}: ${formatValue(total, null)} observations, most in the bucket up to ${formatBound(heatmap, fullestBucket)}`;
}
