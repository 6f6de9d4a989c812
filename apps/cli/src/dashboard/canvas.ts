import type { Colors } from 'picocolors/types.js';

/** The size and the colors that a screen is rendered with. */
export interface Canvas {
  readonly columns: number;
  readonly rows: number;
  readonly paint: Colors;
}
