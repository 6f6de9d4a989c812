import { roundPixel } from './path.ts';

/** The shapes of markers, so that groups differ without their color. */
export const MARKER_SHAPES = ['circle', 'square', 'triangle', 'diamond', 'cross', 'bar'] as const;

export type MarkerShape = (typeof MARKER_SHAPES)[number] | 'dot';

/** Half the size of a marker, in pixels. */
export const MARKER_RADIUS = 4.5;

/** Writes the path of a marker around a point. */
export function writeMarker(shape: MarkerShape, x: number, y: number): string {
  const r = shape === 'dot' ? 2.5 : MARKER_RADIUS;
  const move = (left: number, top: number): string => `M${roundPixel(x + left)} ${roundPixel(y + top)}`;
  switch (shape) {
    case 'square':
      return `${move(-r, -r)}h${2 * r}v${2 * r}h${-2 * r}z`;
    case 'triangle':
      return `${move(-r, r)}h${2 * r}l${-r} ${-2 * r}z`;
    case 'diamond':
      return `${move(0, -r - 1)}l${r + 1} ${r + 1}l${-r - 1} ${r + 1}l${-r - 1} ${-r - 1}z`;
    case 'cross':
      return `${move(-1.5, -r)}h3v3h3v3h-3v3h-3v-3h-3v-3h3z`;
    case 'bar':
      return `${move(-r, -2)}h${2 * r}v4h${-2 * r}z`;
    case 'circle':
    case 'dot':
      return `${move(-r, 0)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }
}
