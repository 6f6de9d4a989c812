import type { Log } from '@org/run/lifecycle';
import { shouldUseColor, toPrintable } from '@org/terminal';
import colors from 'picocolors';
import type { Io } from './io.ts';

/** `before` is called ahead of each line, so that a live line can make room. `quiet` keeps errors and warnings. */
export function createLog(io: Io, quiet: boolean, before: () => void = () => {}): Log {
  const paint = colors.createColors(shouldUseColor(io.stderr, io.env));
  const write = (level: string, message: string): void => {
    before();
    io.stderr.write(`${level}  ${toPrintable(message)}\n`);
  };
  return {
    info: message => {
      if (!quiet) write(paint.dim('INFO   '), message);
    },
    warning: message => write(paint.yellow('WARNING'), message),
    error: message => write(paint.red('ERROR  '), message),
  };
}
