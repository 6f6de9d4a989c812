import { getTerminalHeight, getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Io } from '@org/terminal/program';
import colors from 'picocolors';

/** The terminal, or the file, that text is rendered for. */
export interface Screen {
  /** In columns. */
  readonly width: number;
  /** In rows. Details that do not fit are omitted. */
  readonly height: number;
  readonly paint: ReturnType<typeof colors.createColors>;
}

/** The size of a screen, and whether it shows colors. */
export interface ScreenOptions {
  /** In columns. */
  readonly width: number;
  readonly color: boolean;
  /** In rows; unlimited by default. */
  readonly height?: number;
}

/** Returns the size and the colors of the terminal on standard output. */
export function readScreenOptions({ stdout, env }: Io): ScreenOptions {
  return {
    width: getTerminalWidth(stdout),
    height: getTerminalHeight(stdout),
    color: shouldUseColor(stdout, env),
  };
}

/** Creates a screen. */
export function createScreen({ width, color, height = Number.POSITIVE_INFINITY }: ScreenOptions): Screen {
  return { width, height, paint: colors.createColors(color) };
}
