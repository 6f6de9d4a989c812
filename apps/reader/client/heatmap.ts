import { max, sum } from '@org/analysis/browser';
import { formatValue } from '@org/core';
import type uPlot from 'uplot';
import type { Heatmap, Timeline } from '../src/report/document.ts';
import { timeChart } from './chart.ts';
import { color } from './theme.ts';
import { clock } from './timeAxis.ts';
import type { Zoom } from './zoom.ts';

const LABELS = 6;
const HEIGHT = 200;

/** Draws buckets from bottom to top, one row each, whatever their widths. */
export function heatmap(
  box: HTMLElement,
  map: Heatmap,
  timeline: Timeline,
  zoom: Zoom,
  reading: HTMLElement,
): uPlot {
  const rows = map.bounds.length;
  const most = map.counts.reduce((max, ofBin) => ofBin.reduce((a, b) => Math.max(a, b), max), 0);
  const bound = (row: number): string =>
    map.bounds[row] == null ? '+Inf' : formatValue(map.bounds[row], map.unit);
  const step = Math.max(1, Math.ceil(rows / LABELS));
  return timeChart(box, {
    timeline,
    zoom,
    lines: [timeline.seconds.map(() => null)],
    height: HEIGHT,
    yRange: [0, rows],
    ySplits: () => Array.from({ length: Math.floor(rows / step) }, (_, i) => (i + 1) * step),
    yValues: ticks => ticks.map(tick => bound(Math.round(tick) - 1)),
    draw: chart => cells(chart, map, timeline, most),
    reading,
    read: index => readingOf(map, timeline, index, bound),
  });
}

function cells(chart: uPlot, map: Heatmap, { seconds, binSeconds }: Timeline, most: number): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = color('heat');
  for (const [bin, counts] of map.counts.entries()) {
    const left = chart.valToPos(seconds[bin]! - binSeconds / 2, 'x', true);
    const right = chart.valToPos(seconds[bin]! + binSeconds / 2, 'x', true);
    if (right < bbox.left || left > bbox.left + bbox.width) continue;
    for (const [row, count] of counts.entries()) {
      if (count === 0) continue;
      const top = chart.valToPos(row + 1, 'y', true);
      const bottom = chart.valToPos(row, 'y', true);
      // A square root keeps few observations visible next to many.
      ctx.globalAlpha = 0.08 + 0.92 * Math.sqrt(count / most);
      ctx.fillRect(left, top, Math.max(1, right - left), bottom - top);
    }
  }
  ctx.restore();
}

function readingOf(
  map: Heatmap,
  { seconds }: Timeline,
  index: number,
  bound: (row: number) => string,
): string {
  const counts = map.counts[index] ?? [];
  const all = sum(counts);
  if (all === 0) return `${clock(seconds[index]!)}: no observations`;
  const mode = counts.indexOf(max(counts));
  return `${clock(seconds[index]!)}: ${formatValue(all, null)} observations, most of them up to ${bound(mode)}`;
}
