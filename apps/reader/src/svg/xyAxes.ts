import { escapeText, writeElement } from './markup.ts';
import { roundPixel } from './path.ts';
import { formatTick, listLogTicks, listTicks } from './ticks.ts';
import type { Tick, XyAxis, XyChart } from './xyChartModel.ts';
import type { DrawingSize, PlotEdges, XyScales } from './xyExtent.ts';

/** Approximate width of a character of a label, and the space between labels, in pixels. */
const CHARACTER_WIDTH = 6.8;
const GAP = 8;
/** Height of a label of the vertical axis, with the space around it. */
const LABEL_HEIGHT = 23;

/** Draws the axes of a chart of points, with grid lines. */
export function drawXyAxes({ x, y }: XyChart, scales: XyScales, plot: PlotEdges, size: DrawingSize): string {
  const rows = listAxisTicks(
    y,
    scales.y.domain,
    Math.max(2, Math.floor((plot.bottom - plot.top) / LABEL_HEIGHT)),
  );
  const columns = listAxisTicks(x, scales.x.domain, Math.max(2, Math.floor((plot.right - plot.left) / 80)));
  return [
    ...rows.map(({ value, label }) => {
      const at = roundPixel(scales.y.toPixel(value));
      return (
        writeElement('path', { class: 'grid', d: `M${plot.left} ${at}H${plot.right}` }) +
        writeText('tick end', plot.left - 6, at + 4, label)
      );
    }),
    writeElement('path', { class: 'axis', d: `M${plot.left} ${roundPixel(plot.bottom)}H${plot.right}` }),
    ...placeColumns(columns, scales, plot, size),
    x.name === '' ? '' : writeText('tick middle', (plot.left + plot.right) / 2, size.height - 5, x.name),
  ].join('');
}

function listAxisTicks(
  { ticks, isLog }: XyAxis,
  [from, to]: readonly [number, number],
  count: number,
): Tick[] {
  if (ticks) return ticks.filter(({ value }) => value >= from && value <= to);
  const values = isLog ? listLogTicks(from, to, count) : listTicks(from, to, count);
  return values.map(value => ({ value, label: formatTick(value) }));
}

/** Places the labels below the plot from left to right, without those that would overlap one before. */
function placeColumns(ticks: readonly Tick[], { x }: XyScales, plot: PlotEdges, size: DrawingSize): string[] {
  let taken = -Infinity;
  return ticks.flatMap(({ value, label }) => {
    const width = label.length * CHARACTER_WIDTH;
    const at = x.toPixel(value);
    const center = Math.min(Math.max(at, width / 2), size.width - width / 2);
    if (width > size.width || center - width / 2 < taken + GAP) return [];
    taken = center + width / 2;
    return [
      writeElement('path', { class: 'axis', d: `M${roundPixel(at)} ${roundPixel(plot.bottom)}v4` }) +
        writeText('tick middle', center, plot.bottom + 16, label),
    ];
  });
}

/** Writes a text at a position. */
export function writeText(className: string, x: number, y: number, text: string): string {
  return writeElement('text', { class: className, x: roundPixel(x), y: roundPixel(y) }, escapeText(text));
}
