import { writeElement } from './markup.ts';
import type { ColorName } from './palette.ts';
import { roundPixel } from './path.ts';

/** A part of a bar. */
export interface BarPart {
  readonly color: ColorName;
  /** From 0 to 1. */
  readonly share: number;
}

const WIDTH = 1000;
const HEIGHT = 26;
/** Minimum width of a part, so that it remains visible. */
const MIN_WIDTH = 2;

/** Draws one bar whose parts add up to the whole. */
export function drawSplitBar(parts: readonly BarPart[], label: string): string {
  const total = parts.reduce((sum, { share }) => sum + share, 0) || 1;
  let left = 0;
  const drawn = parts.map(({ color, share }) => {
    const width = (share / total) * WIDTH;
    const start = Math.min(left, WIDTH - MIN_WIDTH);
    left += width;
    return writeElement('rect', {
      class: `f-${color} part`,
      x: roundPixel(start),
      y: 0,
      width: roundPixel(Math.min(Math.max(MIN_WIDTH, width), WIDTH - start)),
      height: HEIGHT,
    });
  });
  return writeElement(
    'svg',
    {
      class: 'bar',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label,
    },
    ...drawn,
  );
}
