import { isForeground } from '@org/terminal/live';
import {
  flag,
  type Io,
  type OptionTable,
  option,
  QUIET_OPTION,
  type RawOptions,
} from '@org/terminal/program';

/** The displays of an active run. */
export type Display = 'dashboard' | 'line' | 'none';

/** Size from which a terminal has room for the dashboard. */
export const MIN_DASHBOARD = { columns: 80, rows: 24 } as const;

/** Options for the messages printed during a run. */
export const DISPLAY_OPTIONS: OptionTable = {
  json: flag('Print the result of the run as one JSON document to stdout, instead of the summary'),
  ...QUIET_OPTION,
  ui: option(
    'DISPLAY',
    'Display during the run: dashboard fills the terminal, line is one line, none logs the progress every 10 s, web is line with a page in the browser (--web 0); simple means line, as in AIPerf',
    {
      aliases: ['ui-type'],
      choices: ['dashboard', 'line', 'none', 'web', 'simple'],
      defaultText: 'dashboard on a terminal of at least 80x24, otherwise line on a terminal, otherwise none',
    },
  ),
  live: flag('Show a live progress line, also without a terminal; --live=false is --ui none', {
    conflicts: ['ui'],
  }),
};

/** Validated display options. */
export interface DisplayOptions {
  /** True to print only warnings, errors and the summary. */
  readonly quiet: boolean;
  /** True to print a JSON document instead of the summary. */
  readonly printsJson?: true;
  readonly display: Display;
  /** Interval of progress messages in seconds; the default if undefined. */
  readonly statsSeconds?: number;
}

/** Conditions of the display. */
export interface DisplayConditions {
  /** True if a command runs, whose output may go to the same terminal. */
  readonly hasCommand?: boolean;
  /** Whether the process can change the mode of its terminal. */
  readonly isForeground?: () => boolean;
}

/**
 * Reads the display options. A display that the terminal has no room for, or that the output of a command would
 * destroy, is replaced by a simpler one.
 */
export function readDisplay(
  raw: RawOptions,
  io: Pick<Io, 'stderr' | 'env'>,
  conditions: DisplayConditions = {},
): DisplayOptions {
  const quiet = raw.quiet === true;
  return {
    quiet,
    ...(raw.json === true ? { printsJson: true } : {}),
    display: quiet ? 'none' : chooseDisplay(raw, io, conditions),
  };
}

function chooseDisplay(
  { live, ui }: RawOptions,
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
  { hasCommand = false, isForeground: canChangeMode = isForeground }: DisplayConditions,
): Display {
  if (live !== undefined) return live === true ? 'line' : 'none';
  const isTerminal = stderr.isTTY === true;
  if (!isTerminal || ui === 'none' || (ui === undefined && hasCommand)) return 'none';
  if (ui === 'line' || ui === 'simple' || ui === 'web' || hasCommand) return 'line';
  const { columns = 0, rows = 0 } = stderr;
  const hasRoom = columns >= MIN_DASHBOARD.columns && rows >= MIN_DASHBOARD.rows;
  return hasRoom && env.TERM !== 'dumb' && canChangeMode() ? 'dashboard' : 'line';
}
