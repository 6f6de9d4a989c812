import { getTerminalHeight, getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Io } from '@org/terminal/program';
import colors from 'picocolors';

/** The terminal or file that text is rendered for. */
export interface Screen {
  /** Width in columns. */
  readonly width: number;
  /** Height in rows. Details that do not fit are omitted. */
  readonly height: number;
  /** Functions that color text; they return it unchanged if colors are disabled. */
  readonly paint: ReturnType<typeof colors.createColors>;
}

/** The size of a screen, and whether to use colors. */
export interface ScreenOptions {
  /** Width in columns. */
  readonly width: number;
  readonly color: boolean;
  /** Height in rows; unlimited by default. */
  readonly height?: number;
}

/** Returns the size of the terminal on standard output, and whether to use colors. */
export function readScreenOptions({ stdout, env }: Io): ScreenOptions {
  return {
    width: getTerminalWidth(stdout),
    height: getTerminalHeight(stdout),
    color: shouldUseColor(stdout, env),
  };
}

/** Creates a screen of the given size. */
export function createScreen({ width, color, height = Number.POSITIVE_INFINITY }: ScreenOptions): Screen {
  return { width, height, paint: colors.createColors(color) };
}
