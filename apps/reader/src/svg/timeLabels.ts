import { writeLabels } from './labels.ts';
import type { Scale } from './scale.ts';
import { formatTime, listTimeTicks } from './ticks.ts';

/** Minimum distance between labels, in pixels. */
const LABEL_WIDTH = 84;

/** Draws the times below a chart whose plot begins at `left`. The space beside the plot has room for half of a label. */
export function drawTimeLabels(x: Scale, left: number, width: number, y: number): string {
  const ticks = listTimeTicks(...x.domain, Math.max(1, Math.floor(width / LABEL_WIDTH)));
  const labels = ticks.map(seconds => ({ x: left + x.toPixel(seconds), y, text: formatTime(seconds) }));
  return writeLabels('tick middle', labels);
}
