import { flag, type Io, type OptionTable, type RawOptions } from '@org/terminal/program';

/** Options for the messages printed during a run. */
export const DISPLAY_OPTIONS: OptionTable = {
  quiet: flag('Print only warnings, errors and the summary', { aliases: ['q'] }),
  live: flag('Show a live progress line; disable with --live=false', { defaultText: 'on a terminal' }),
};

/** Validated display options. */
export interface DisplayOptions {
  /** True to print only warnings, errors and the summary. */
  readonly quiet: boolean;
  /** True to show a live progress line. */
  readonly live: boolean;
}

/**
 * Reads the display options. By default, the live line is shown if stderr is a terminal and no command runs,
 * because the output of a command may go to the same terminal.
 */
export function readDisplay(
  raw: RawOptions,
  { stderr }: Pick<Io, 'stderr'>,
  hasCommand = false,
): DisplayOptions {
  const quiet = raw.quiet === true;
  const isLive = raw.live ?? (!hasCommand && stderr.isTTY === true);
  return { quiet, live: isLive === true && !quiet };
}
