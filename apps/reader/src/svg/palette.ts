/** The light and the dark color of everything that charts draw, after Okabe and Ito's palette for all kinds of sight. */
export const PALETTE = {
  client: ['#0072b2', '#56b4e9'],
  server: ['#d55e00', '#f0803c'],
  waiting: ['#6b3200', '#ffd98a'],
  failed: ['#b04e86', '#d98bb8'],
  second: ['#007a5a', '#2dbe96'],
  third: ['#6a4fb3', '#b7a2f0'],
  fourth: ['#66700a', '#c3cc4d'],
  grey: ['#6b7683', '#98a2ad'],
  limit: ['#1a1d21', '#e8eaed'],
} as const;

/** The colors of replicas, in the order of endpoints. */
export const REPLICA_COLORS = ['server', 'third', 'second', 'fourth', 'waiting'] as const;

/** The name of a color of charts. */
export type ColorName = keyof typeof PALETTE;

/** The light and the dark color of the paper that charts are drawn on. */
export const PAPER = ['#ffffff', '#14171a'] as const;

/** Writes the classes of the palette. `select` returns the value of a color from its light and dark variant. */
export function writePaletteStyle(
  select: (colors: readonly [light: string, dark: string]) => string,
): string {
  return Object.entries(PALETTE)
    .map(([name, colors]) => {
      const color = select(colors);
      return `.s-${name}{stroke:${color}}.f-${name}{fill:${color}}.b-${name}{background:${color}}`;
    })
    .join('');
}
