import { createLogUpdate } from 'log-update';
import type { Io } from './io.ts';

/** A line at the end of a terminal that is written over and over. */
export type TerminalLine = ReturnType<typeof createLogUpdate>;

/**
 * Such a line on stderr. A terminal that does not know its size (one without a window, as in CI or under `docker exec -t`)
 * says that it has 0 rows and columns, and log-update shows nothing in so little: such a one counts as 24 by 80.
 */
export function terminalLine({ stderr }: Io): TerminalLine {
  const sized = new Proxy(stderr as NodeJS.WriteStream, {
    get(stream, name) {
      if (name === 'rows') return stream.rows || 24;
      if (name === 'columns') return stream.columns || 80;
      const value: unknown = Reflect.get(stream, name);
      return typeof value === 'function' ? value.bind(stream) : value;
    },
  });
  return createLogUpdate(sized);
}
