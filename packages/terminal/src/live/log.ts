import colors from 'picocolors';
import type { Io } from '../program/command.ts';
import { shouldUseColor, toPrintable } from '../terminal.ts';

/** Writes log lines to stderr; stdout is reserved for results. */
export interface Log {
  info(message: string): void;
  warning(message: string): void;
  error(message: string): void;
}

/**
 * Creates a log. If `quiet` is set, info lines are omitted. `beforeLine` is called before each line, for
 * example to clear a live line.
 */
export function createLog(io: Io, quiet: boolean, beforeLine: () => void = () => {}): Log {
  const paint = colors.createColors(shouldUseColor(io.stderr, io.env));
  const writeLine = (level: string, message: string): void => {
    beforeLine();
    io.stderr.write(`${level}  ${toPrintable(message)}\n`);
  };
  return {
    info: message => {
      if (!quiet) writeLine(paint.dim('INFO   '), message);
    },
    warning: message => writeLine(paint.yellow('WARNING'), message),
    error: message => writeLine(paint.red('ERROR  '), message),
  };
}
