import type { Command } from './command.ts';

/** Name of the program on the command line. */
export const PROGRAM = 'servelens';

/** A command in the help of the program. Its module is loaded when the command runs, which keeps `--help` fast. */
export interface CommandEntry {
  /** Words of the command, such as `config check`. */
  readonly name: string;
  /** Positional arguments in the syntax of yargs. */
  readonly syntax?: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** All commands except `read`, which is a separate program. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'profile',
    summary: 'Benchmark inference servers, with metrics from the client and the servers',
    load: async () => (await import('./profile.ts')).profileCommand,
  },
  {
    name: 'collect',
    summary: 'Scrape metrics endpoints while a command runs, for a duration, or until Ctrl-C',
    load: async () => (await import('./collect.ts')).collectCommand,
  },
  {
    name: 'mark',
    syntax: '[mark..]',
    summary: 'Mark the start or end of profiling in an active run, or add a note',
    load: async () => (await import('./mark.ts')).markCommand,
  },
  {
    name: 'validate',
    syntax: '<files..>',
    summary: 'Validate exports against their schemas and consistency rules',
    load: async () => (await import('./validate.ts')).validateCommand,
  },
  {
    name: 'recover',
    syntax: '<run>',
    summary: 'Write the exports of a run that was killed',
    load: async () => (await import('./recover.ts')).recoverCommand,
  },
  {
    name: 'export',
    syntax: '<run>',
    summary: 'Re-export a run with a different format, time range, timeslice duration or percentile method',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'config check',
    syntax: '<file>',
    summary: 'Validate a configuration file, and show the settings of each endpoint',
    load: async () => (await import('./configCheck.ts')).configCheckCommand,
  },
  {
    name: 'simulate',
    summary: 'Run a mock inference server',
    load: async () => (await import('./simulate.ts')).simulateCommand,
  },
];
