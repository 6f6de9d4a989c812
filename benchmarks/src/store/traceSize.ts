import type { Argv } from 'yargs';
import { runTaskProcess } from '../measure/taskProcess.ts';

/** The size of a trace and the number of endpoints that replay it. */
export interface TraceSize {
  readonly endpoints: number;
  /** Duration of the trace of each endpoint, in seconds. */
  readonly seconds: number;
  /** Number of engines of the simulated vLLM. */
  readonly engines: number;
}

const HOUR: TraceSize = { endpoints: 10, seconds: 3600, engines: 4 };

/** Adds the options for the size of a trace to the command line of a benchmark. */
export function addSizeOptions(parser: Argv): Argv<TraceSize & { hour: boolean }> {
  return parser
    .option('endpoints', { type: 'number', default: 2, describe: 'Number of endpoints' })
    .option('seconds', {
      type: 'number',
      default: 600,
      describe: 'Duration of the trace of each endpoint in seconds, scraped at 3 Hz',
    })
    .option('engines', {
      type: 'number',
      default: 3,
      describe: 'Number of engines of the simulated vLLM, about 330 samples per scrape each',
    })
    .option('hour', {
      type: 'boolean',
      default: false,
      describe: 'Use one hour, ten endpoints and four engines',
    });
}

/** Returns the size that the options select: the size of `--hour`, or the other options. */
export function selectSize(options: TraceSize & { readonly hour: boolean }): TraceSize {
  return options.hour ? HOUR : options;
}

/** Runs a task of a benchmark on a trace in a separate process. */
export function runTraceTask<T>(
  script: string,
  task: string,
  folder: string,
  { endpoints, seconds, engines }: TraceSize,
): Promise<T> {
  return runTaskProcess<T>(script, { task, folder, endpoints, seconds, engines });
}
