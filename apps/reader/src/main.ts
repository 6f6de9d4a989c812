import { RunError } from '@org/analysis/files';
import { FormatError, isSourceError } from '@org/formats/read';
import { type Io, type NestedProgram, QUIET_OPTION, runProgram } from '@org/terminal/program';

/** The commands of `servelens read` and `servelens-reader`. */
export const readerProgram: NestedProgram = {
  description: 'Read, compare and check the exports of benchmark runs.',
  sharedOptions: QUIET_OPTION,
  commands: [
    {
      name: 'summary',
      summary: 'Show a run on one screen, with findings',
      load: async () => (await import('./summary/command.ts')).summaryCommand,
    },
    {
      name: 'compare',
      summary: 'Compare runs, and separate changes from noise',
      load: async () => (await import('./compare/command.ts')).compareCommand,
    },
    {
      name: 'trend',
      summary: 'Find changes in a series of runs, such as nightly ones',
      load: async () => (await import('./trend/command.ts')).trendCommand,
    },
    {
      name: 'check',
      summary: 'Check a run against rules, for example as a CI gate',
      load: async () => (await import('./check/command.ts')).checkCommand,
    },
    {
      name: 'query',
      summary: 'Query the samples of runs with SQL',
      load: async () => (await import('./query/command.ts')).queryCommand,
    },
    {
      name: 'dataset',
      summary: 'Write many runs into one Parquet dataset, for DuckDB and Spark',
      load: async () => (await import('./dataset/command.ts')).datasetCommand,
    },
    {
      name: 'report',
      summary: 'Write an HTML page with charts, findings and tables',
      load: async () => (await import('./report/command.ts')).reportCommand,
    },
  ],
  // These errors are caused by missing runs and malformed files.
  isUserError: error => error instanceof RunError || error instanceof FormatError || isSourceError(error),
};

/** Runs `servelens-reader` with command-line arguments and returns the exit code. */
export function readerMain(argv: readonly string[], io: Io): Promise<number> {
  const packageFile = new URL('../package.json', import.meta.url);
  return runProgram({ ...readerProgram, name: 'servelens-reader', packageFile }, argv, io);
}
