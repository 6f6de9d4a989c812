/** Values of --compat. */
export type Compat = 'servelens' | 'aiperf-0.13';

/** Runs of Servelens whose files other programs read. */
export interface Case {
  readonly title: string;
  /** Values of --compat for which the case is in the matrix. */
  readonly matrix: readonly Compat[];
  /** Options of `servelens simulate`. */
  readonly server?: readonly string[];
  /** Options of `servelens profile`. */
  readonly args: readonly string[];
  /** Exit code of `servelens profile`, by default 0. */
  readonly code?: number;
  /** Concurrency of each run that `aiperf plot` finds. */
  readonly concurrencies: readonly number[];
  /** Plots that `aiperf plot` draws. */
  readonly plots: readonly string[];
}

/** Options of streamed chat completions. */
export const CHAT = ['--endpoint-type', 'chat', '--streaming', '--isl', '200', '--osl', '24'];
/** Options that export the texts of requests and responses. */
export const TEXTS = ['--export-level', 'raw', '--export-outputs-json'];
const SWEEP = [...CHAT, '--concurrency', '1,2', '--request-count', '8'];
const REPEATS = ['--num-profile-runs', '2'];
const RUN_PLOTS = ['ttft_over_time.png', 'ttft_timeline.png', 'timeslices_ttft.png', 'timeslices_itl.png'];
const SWEEP_PLOTS = ['ttft_vs_throughput.png'];

const CASES: readonly Case[] = [
  {
    title: 'with a warm-up, goodput, timeslices and texts',
    matrix: [],
    args: [
      ...[...CHAT, ...TEXTS, '--concurrency', '4', '--request-count', '30', '--slice-duration', '1'],
      ...['--warmup-request-count', '6', '--goodput', 'time_to_first_token:60', 'request_latency:450'],
    ],
    concurrencies: [4],
    plots: RUN_PLOTS,
  },
  {
    title: 'with failed requests',
    matrix: ['aiperf-0.13'],
    // A fifth to two fifths of these prompts exceed the context length.
    server: ['--max-model-len', '250'],
    args: [
      ...[...CHAT, ...TEXTS, '--isl-stddev', '80', '--concurrency', '4', '--request-count', '30'],
      ...['--warmup-request-count', '6', '--slice-duration', '1'],
    ],
    concurrencies: [4],
    plots: RUN_PLOTS,
  },
  {
    title: 'in which all requests failed',
    matrix: [],
    server: ['--max-model-len', '20'],
    args: [...CHAT, ...TEXTS, '--concurrency', '4', '--request-count', '12', '--slice-duration', '1'],
    code: 1,
    concurrencies: [4],
    plots: [],
  },
  {
    title: 'of the completions API, without streaming',
    matrix: [],
    args: [
      ...[...TEXTS, '--endpoint-type', 'completions', '--isl', '100', '--osl', '10'],
      ...['--concurrency', '2', '--request-count', '20'],
    ],
    concurrencies: [2],
    plots: [],
  },
  {
    title: 'of the embeddings API',
    matrix: [],
    args: [
      ...[...TEXTS, '--endpoint-type', 'embeddings', '--isl', '100'],
      ...['--concurrency', '2', '--request-count', '20'],
    ],
    concurrencies: [2],
    plots: [],
  },
  { title: 'of a sweep', matrix: ['servelens'], args: SWEEP, concurrencies: [1, 2], plots: SWEEP_PLOTS },
  {
    title: 'of repeats',
    matrix: [],
    args: [...CHAT, ...REPEATS, '--concurrency', '2', '--request-count', '8'],
    // AIPerf finds the aggregate of all runs. It has no concurrency.
    concurrencies: [],
    plots: [],
  },
  {
    title: 'of a sweep with repeats',
    matrix: [],
    args: [...SWEEP, ...REPEATS],
    concurrencies: [1, 2],
    plots: SWEEP_PLOTS,
  },
];

/** Each run with and without AIPerf's layout. */
export const RUNS = CASES.flatMap(run =>
  (['servelens', 'aiperf-0.13'] as const).map(compat => ({
    ...run,
    compat,
    title: `${run.title}, --compat ${compat}`,
    isInMatrix: run.matrix.includes(compat),
  })),
);
