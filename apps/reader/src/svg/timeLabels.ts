import { writeLabels } from './labels.ts';
import type { Scale } from './scale.ts';
import { formatTime, listTimeTicks } from './ticks.ts';

/** Minimum distance between labels, in pixels. */
const LABEL_WIDTH = 84;

/** Draws the times below a chart whose plot begins at `left`. Those at its ends stay inside. */
export function drawTimeLabels(x: Scale, left: number, width: number, y: number): string {
  const ticks = listTimeTicks(...x.domain, Math.max(1, Math.floor(width / LABEL_WIDTH)));
  const labels = ticks.map(seconds => {
    const at = left + x.toPixel(seconds);
    const className = at > left + width - LABEL_WIDTH / 3 ? 'end' : at < left + 12 ? 'start' : undefined;
    return { x: at, y, text: formatTime(seconds), ...(className && { className }) };
  });
  return writeLabels('tick middle', labels);
}
