import colors from 'picocolors';

/** Where a screen is shown. */
export interface Look {
  /** Columns of the terminal. */
  readonly width: number;
  /** Lines that a screen has; details give way beyond. */
  readonly height: number;
  readonly paint: ReturnType<typeof colors.createColors>;
}

export interface LookOptions {
  readonly width: number;
  readonly color: boolean;
  /** No limit without it. */
  readonly height?: number;
}

export function lookOf({ width, color, height = Number.POSITIVE_INFINITY }: LookOptions): Look {
  return { width, height, paint: colors.createColors(color) };
}
