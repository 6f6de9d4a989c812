import { type Io, type Program, QUIET_OPTION, runProgram } from '@org/terminal/program';

/** The `servelens` program with its commands, which are loaded on demand. */
export const PROGRAM: Program = {
  name: 'servelens',
  description: 'Record the metrics of LLM inference servers under load.',
  packageFile: new URL('../package.json', import.meta.url),
  sharedOptions: QUIET_OPTION,
  commands: [
    {
      name: 'profile',
      summary: 'Benchmark inference servers, with metrics from the client and the servers',
      load: async () => (await import('./commands/profile.ts')).profileCommand,
    },
    {
      name: 'collect',
      summary: 'Scrape metrics endpoints while a command runs, for a duration, or until Ctrl-C',
      load: async () => (await import('./commands/collect.ts')).collectCommand,
    },
    {
      name: 'watch',
      summary: 'Show the page of an active run in a browser',
      load: async () => (await import('./commands/watch.ts')).watchCommand,
    },
    {
      name: 'mark',
      summary: 'Mark the start or end of profiling in an active run, or add a note',
      load: async () => (await import('./commands/mark.ts')).markCommand,
    },
    {
      name: 'validate',
      summary: 'Validate exports against their schemas and consistency rules',
      load: async () => (await import('./commands/validate.ts')).validateCommand,
    },
    {
      name: 'recover',
      summary: 'Write the exports of a run that was killed',
      load: async () => (await import('./commands/recover.ts')).recoverCommand,
    },
    {
      name: 'merge',
      summary: 'Join the shards of a run that several processes executed (--shard)',
      load: async () => (await import('./commands/merge.ts')).mergeCommand,
    },
    {
      name: 'export',
      summary: 'Re-export a run with a different format, time range, timeslice duration or percentile method',
      load: async () => (await import('./commands/export.ts')).exportCommand,
    },
    {
      name: 'import',
      summary: 'Import a run from Prometheus, VictoriaMetrics, metrics pages or JSONL',
      load: async () => (await import('./commands/import.ts')).importCommand,
    },
    {
      name: 'push',
      summary: 'Push the statistics of runs to Prometheus or an OpenTelemetry collector',
      load: async () => (await import('./commands/push.ts')).pushCommand,
    },
    {
      name: 'kube',
      summary: 'Run shards of a load in Kubernetes: servelens kube manifest',
      load: async () => (await import('./commands/kube.ts')).kubeProgram,
    },
    {
      name: 'config',
      summary: 'Create or validate a configuration file: servelens config init|check|expand',
      load: async () => (await import('./commands/config.ts')).configProgram,
    },
    {
      name: 'analyze-trace',
      summary: 'Show the lengths and the shared prefixes of a trace',
      load: async () => (await import('./commands/analyzeTrace.ts')).analyzeTraceCommand,
    },
    {
      name: 'servers',
      summary: 'Explain the metrics of servers: servelens servers explain METRIC',
      load: async () => (await import('./commands/servers.ts')).serversProgram,
    },
    {
      name: 'simulate',
      summary: 'Run a mock inference server',
      load: async () => (await import('./commands/simulate.ts')).simulateCommand,
    },
    {
      name: 'completion',
      summary: 'Print the completion of commands and options for a shell',
      load: async () => (await import('./commands/completion.ts')).createCompletionCommand(PROGRAM),
    },
    {
      name: 'man',
      summary: 'Print the manual page',
      load: async () => (await import('./commands/man.ts')).createManCommand(PROGRAM),
    },
    {
      name: 'read',
      summary: 'Summarize, compare, check and query runs: servelens read --help',
      load: async () => (await import('@org/reader')).readerProgram,
    },
  ],
  // Errors are compared by name, because importing the class would load `@org/record` and its dependencies.
  isUserError: error => error instanceof Error && error.name === 'RunInputError',
};

/** Runs `servelens` with command-line arguments and returns the exit code. */
export function main(argv: readonly string[], io: Io): Promise<number> {
  return runProgram(PROGRAM, argv, io);
}
