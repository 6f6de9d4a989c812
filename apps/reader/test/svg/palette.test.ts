import { expect, test } from 'vitest';
import { PALETTE, PAPER } from '../../src/svg/palette.ts';

/** Relative luminance of a color, as in WCAG 2.2. */
function computeLuminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function computeContrast(a: string, b: string): number {
  const [dark, light] = [computeLuminance(a), computeLuminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

const CASES = Object.entries(PALETTE).flatMap(([name, colors]) =>
  (['light', 'dark'] as const).map((theme, i) => [name, theme, colors[i]!, PAPER[i]!] as const),
);

test.each(CASES)('%s has enough contrast to its paper, %s', (_, _theme, color, paper) => {
  // WCAG 2.2 AA for graphical objects.
  expect(computeContrast(color, paper)).toBeGreaterThanOrEqual(3);
});
