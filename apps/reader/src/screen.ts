import colors from 'picocolors';

/** The terminal, or the file, that a screen is rendered for. */
export interface Screen {
  /** In columns. */
  readonly width: number;
  /** In rows; details are left out beyond them. */
  readonly height: number;
  readonly paint: ReturnType<typeof colors.createColors>;
}

export interface ScreenOptions {
  /** In columns. */
  readonly width: number;
  readonly color: boolean;
  /** In rows; unlimited by default. */
  readonly height?: number;
}

export function createScreen({ width, color, height = Number.POSITIVE_INFINITY }: ScreenOptions): Screen {
  return { width, height, paint: colors.createColors(color) };
}
