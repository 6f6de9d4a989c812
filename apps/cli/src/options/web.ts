import { type NumberRange, type OptionTable, type RawOptions, readNumber } from '@org/terminal/program';

export const PORT_RANGE: NumberRange = { min: 0, max: 65_535, isInteger: true };

/** The option that shows a run in a browser. */
export const WEB_OPTIONS: OptionTable = {
  web: {
    placeholder: 'PORT',
    description:
      'Show the run in a browser: serve its page at 127.0.0.1:PORT while it is running (0: a free port)',
  },
};

/** Port 0: a free port. */
const FREE_PORT = 0;

/** Reads --web and --ui web, which uses a free port. Returns undefined if the run is not shown in a browser. */
export function readWebPort(raw: RawOptions): number | undefined {
  return readNumber(raw, 'web', PORT_RANGE) ?? (raw.ui === 'web' ? FREE_PORT : undefined);
}
