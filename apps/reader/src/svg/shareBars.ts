import { writeElement } from './markup.ts';
import type { ColorName } from './palette.ts';
import { roundPixel } from './path.ts';
import { writeText } from './xyAxes.ts';

/** Bars that each divide a whole into shares, one below the other. */
export interface ShareBars {
  readonly title: string;
  readonly bars: readonly {
    readonly name: string;
    readonly parts: readonly { readonly name: string; readonly color: ColorName; readonly share: number }[];
    /** The figures behind the bar. */
    readonly text: string;
  }[];
}

const ROW = 18;
const CHARACTER_WIDTH = 6.8;
const MAX_NAME = 30;
/** Width of a share that is not 0, so that it remains visible. */
const MIN_WIDTH = 2;

/** Returns the height of a drawing of share bars, in pixels. */
export function measureShareBars({ bars }: Pick<ShareBars, 'bars'>): number {
  return bars.length * ROW + 6;
}

/** Draws share bars. Names are on the left, figures on the right. */
export function drawShareBars({ title, bars }: ShareBars, width: number): string {
  const measure = (texts: readonly string[]): number =>
    texts.reduce((longest, text) => Math.max(longest, text.length), 0) * CHARACTER_WIDTH + 14;
  const names = bars.map(({ name }) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name));
  const left = measure(names);
  const right = width - measure(bars.map(({ text }) => text));
  // Without room for figures, bars and names remain.
  const hasTexts = right - left > width / 4;
  const end = hasTexts ? right : width - 4;
  const rows = bars.map(({ parts, text }, i) => {
    const top = i * ROW + 3;
    let at = left;
    const rects = parts.map(({ color, share }) => {
      if (!(share > 0)) return '';
      const size = Math.max(MIN_WIDTH, share * (end - left));
      const start = Math.min(at, end - MIN_WIDTH);
      at += share * (end - left);
      return writeElement('rect', {
        class: `f-${color} part`,
        x: roundPixel(start),
        y: top,
        width: roundPixel(Math.min(size, end - start)),
        height: ROW - 4,
      });
    });
    return (
      writeText('tick end', left - 6, top + 11, names[i]!) +
      rects.join('') +
      (hasTexts ? writeText('tick', end + 6, top + 11, text) : '')
    );
  });
  const label = bars.slice(0, 12).map(({ name, text }) => `${name}: ${text}`);
  return writeElement(
    'svg',
    {
      class: 'drawing',
      viewBox: `0 0 ${width} ${measureShareBars({ bars })}`,
      role: 'img',
      'aria-label': `${title}: ${label.join('; ')}`,
    },
    ...rows,
  );
}
