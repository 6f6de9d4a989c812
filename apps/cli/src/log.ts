import type { Log } from '@org/run/lifecycle';
import { printable, wantsColor } from '@org/terminal';
import colors from 'picocolors';
import type { Io } from './io.ts';

/** `before` is called ahead of each line, so that a live line can make room. `quiet` keeps errors and warnings. */
export function createLog(io: Io, quiet: boolean, before: () => void = () => {}): Log {
  const paint = colors.createColors(wantsColor(io.stderr, io.env));
  const write = (level: string, message: string): void => {
    before();
    io.stderr.write(`${level}  ${printable(message)}\n`);
  };
  return {
    info: message => {
      if (!quiet) write(paint.dim('INFO   '), message);
    },
    warning: message => write(paint.yellow('WARNING'), message),
    error: message => write(paint.red('ERROR  '), message),
  };
}
