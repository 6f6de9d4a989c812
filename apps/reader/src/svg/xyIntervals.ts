import { writeElement } from './markup.ts';
import { roundPixel } from './path.ts';
import type { XySeries } from './xyChartModel.ts';
import type { PlotEdges, XyScales } from './xyExtent.ts';

/** Half the length of the cap at the end of an interval, in pixels. */
const CAP = 3;

/** Draws the intervals of points. An interval that leaves the plot ends there with a caret. */
export function drawIntervals({ points, color }: XySeries, { x, y }: XyScales, plot: PlotEdges): string {
  const bars: string[] = [];
  const carets: string[] = [];
  for (const point of points) {
    if (!Number.isFinite(point.x) || !Number.isFinite(point.y)) continue;
    const [left, top] = [roundPixel(x.toPixel(point.x)), roundPixel(y.toPixel(point.y))];
    for (const sign of [-1, 1]) {
      if (point.xHalf) {
        const end = x.toPixel(point.x + sign * point.xHalf);
        const shown = roundPixel(Math.min(plot.right, Math.max(plot.left, end)));
        const isClipped = end < plot.left - 0.5 || end > plot.right + 0.5;
        bars.push(`M${left} ${top}H${shown}${isClipped ? '' : `m0-${CAP}v${2 * CAP}`}`);
        if (isClipped) carets.push(`M${shown} ${top}l${-5 * sign}-4v8z`);
      }
      if (point.yHalf) {
        const end = y.toPixel(point.y + sign * point.yHalf);
        const shown = roundPixel(Math.min(plot.bottom, Math.max(plot.top, end)));
        const isClipped = end < plot.top - 0.5 || end > plot.bottom + 0.5;
        bars.push(`M${left} ${top}V${shown}${isClipped ? '' : `m-${CAP} 0h${2 * CAP}`}`);
        if (isClipped) carets.push(`M${left} ${shown}l-4 ${5 * sign}h8z`);
      }
    }
  }
  return (
    (bars.length === 0 ? '' : writeElement('path', { class: `interval s-${color}`, d: bars.join('') })) +
    (carets.length === 0 ? '' : writeElement('path', { class: `caret f-${color}`, d: carets.join('') }))
  );
}
