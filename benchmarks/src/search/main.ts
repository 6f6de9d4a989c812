/**
 * Measures searches on simulated servers with known boundaries: the error of the estimate, and the number of runs compared with a
 * grid of the same precision.
 *
 * `simulated` searches in simulated time, with the planner of `servelens profile` and without a client that could delay requests:
 * servers with different batch sizes, and limits of the p95 of the time to first token. The boundary is computed from simulations
 * of every concurrency with the same number of requests.
 *
 * `latency` and `queue` are searches of `servelens profile` in real time, which delays of a busy machine affect. `latency` limits the
 * p95 of the time to first token. `queue` limits the number of waiting requests to a number below 5: its boundary is 5 more than
 * the batch size of the server.
 *
 * Options: --simulated N (100), --searches N (3) of each kind in real time.
 */
import { parseArgs } from 'node:util';
import { Random } from '@org/core';
import { createSimulator, type SimulatorOptions } from '@org/simulator';
import { computeMedian, round } from '../measure/numbers.ts';
import { runSearch, type SearchResult } from './searchRun.ts';
import { searchSimulatedServer } from './simulatedSearch.ts';
import { computeTrueBoundary, countGrid } from './trueBoundary.ts';

const { values } = parseArgs({
  options: {
    simulated: { type: 'string', default: '100' },
    searches: { type: 'string', default: '3' },
  },
});

const REQUESTS = 320;
const OUTPUT_TOKENS = 32;
const RANGE = { low: 8, high: 512 };
const PRECISION = 0.05;
const TTFT_LIMIT_MS = 300;
const QUEUE_LIMIT = 5;
const BATCH_SIZES = [24, 48, 80, 32, 64, 40];

/** A limit whose boundary is known. */
interface Kind {
  readonly name: string;
  readonly args: readonly string[];
  computeBoundary(result: SearchResult, options: SimulatedServer): number;
}

type SimulatedServer = Partial<SimulatorOptions> & Pick<SimulatorOptions, 'maxRunning'>;

const KINDS: readonly Kind[] = [
  {
    name: 'latency',
    args: ['--ttft-sla-ms', String(TTFT_LIMIT_MS)],
    computeBoundary: ({ promptTokens }, options) =>
      computeTrueBoundary(
        { requests: REQUESTS, promptTokens, outputTokens: OUTPUT_TOKENS },
        TTFT_LIMIT_MS,
        options,
      ),
  },
  {
    name: 'queue',
    args: ['--search-sla', `max(vllm:num_requests_waiting) < ${QUEUE_LIMIT}`],
    computeBoundary: (_, { maxRunning }) => maxRunning + QUEUE_LIMIT,
  },
];

measureSimulated(Number(values.simulated));
for (const kind of KINDS)
  for (let index = 0; index < Number(values.searches); index++) await measure(kind, index);

/** Prints the figures of `count` searches in simulated time. */
function measureSimulated(count: number): void {
  if (count === 0) return;
  const loop = { requests: REQUESTS, promptTokens: 128, outputTokens: OUTPUT_TOKENS };
  const grid = countGrid(RANGE.low, RANGE.high, PRECISION);
  const random = new Random(1);
  const errors: number[] = [];
  const runs: number[] = [];
  let covered = 0;
  for (let seed = 1; seed <= count; seed++) {
    const options = { maxRunning: 12 + random.below(85), prefixCaching: false, seed };
    const limitMs = random.uniform(150, 600);
    const { probes, boundary } = searchSimulatedServer(
      { loop, limitMs, ...RANGE, precision: PRECISION },
      options,
    );
    const { estimate, interval, passed, failed } = boundary;
    const found = estimate ?? (passed! + failed!) / 2;
    const truth = computeTrueBoundary(loop, limitMs, options, Math.max(1, Math.floor(0.7 * found)));
    errors.push(Math.abs(found / truth - 1));
    runs.push(probes.length);
    if (interval && interval.low <= truth && truth <= interval.high) covered += 1;
  }
  console.log(
    JSON.stringify({
      bench: 'search',
      figure: 'simulated',
      searches: count,
      share_within_5_percent: round(errors.filter(error => error <= 0.05).length / count, 3),
      error_p50: round(computeMedian(errors), 4),
      error_max: round(Math.max(...errors), 4),
      share_within_interval: round(covered / count, 3),
      runs_p50: computeMedian(runs),
      runs_max: Math.max(...runs),
      grid_runs: grid,
    }),
  );
}

async function measure(kind: Kind, index: number): Promise<void> {
  const options = {
    model: 'm',
    seed: index + 1,
    maxRunning: BATCH_SIZES[index % BATCH_SIZES.length]!,
    prefixCaching: false,
  };
  const simulator = createSimulator(options);
  const { url } = await simulator.listen();
  try {
    const result = await runSearch([...listArgs(url), ...kind.args]);
    printResult(kind, options, result);
  } finally {
    await simulator.close();
  }
}

function listArgs(url: string): string[] {
  const load = `--model m --url ${url} --tokenizer builtin --streaming --isl 128 --osl ${OUTPUT_TOKENS}`;
  const search = `--search-recipe max-concurrency-under-sla --request-count ${REQUESTS}`;
  const range = `--concurrency-min ${RANGE.low} --concurrency-max ${RANGE.high} --search-precision ${PRECISION}`;
  return `${load} ${search} ${range}`.split(' ');
}

function printResult(kind: Kind, options: SimulatedServer, result: SearchResult): void {
  const { history, seconds } = result;
  const { iterations, boundary_summary: summary } = history;
  const boundary = kind.computeBoundary(result, options);
  const estimate = summary?.estimate;
  const grid = countGrid(RANGE.low, RANGE.high, PRECISION);
  console.log(
    JSON.stringify({
      bench: 'search',
      figure: kind.name,
      batch_size: options.maxRunning,
      boundary: round(boundary, 2),
      estimate: estimate === undefined ? null : round(estimate, 2),
      error: estimate === undefined ? null : round(estimate / boundary - 1, 4),
      interval: summary?.interval ? [round(summary.interval.low, 2), round(summary.interval.high, 2)] : null,
      passed: summary?.feasible_max?.value ?? null,
      failed: summary?.infeasible_min?.value ?? null,
      runs: iterations.length,
      ended_early: iterations.filter(({ ended_early: early }) => early !== undefined).length,
      grid_runs: grid,
      share_of_grid: round(iterations.length / grid, 3),
      reason: history.convergence_reason,
      seconds: round(seconds),
    }),
  );
}
