import type { Io } from '@org/terminal/program';
import { createLogUpdate } from 'log-update';

/** A line of a terminal that is updated in place. */
export type TerminalLine = ReturnType<typeof createLogUpdate>;

/** Size of terminals that report 0 rows and columns, as in CI or under `docker exec -t`; log-update would print nothing. */
const DEFAULT_SIZE = { rows: 24, columns: 80 } as const;

/** Creates a line on stderr that is updated in place. */
export function createTerminalLine({ stderr }: Io): TerminalLine {
  const stream = new Proxy(stderr as NodeJS.WriteStream, {
    get(target, name) {
      if (name === 'rows' || name === 'columns') return target[name] || DEFAULT_SIZE[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return createLogUpdate(stream);
}
