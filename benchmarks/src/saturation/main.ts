/**
 * Measures the time after which `--stop-over-saturated` ends loads that exceed the capacity of a simulated server: pairs of runs of
 * the same load, one with the metrics of the server and one without. The capacity is the throughput of a simulated closed loop
 * with four times as many requests as the batch holds.
 *
 * Options: --pairs N (2) of each overload, which run at the same time, and --overloads LIST (1.25,1.5,2).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ProfileExport } from '@org/formats';
import { createSimulator } from '@org/simulator';
import { round } from '../measure/numbers.ts';
import { runServelensProfile } from '../measure/servelensRun.ts';
import { runClosedLoop } from '../search/closedLoop.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '2' },
    overloads: { type: 'string', default: '1.25,1.5,2' },
  },
});

const MAX_RUNNING = 8;
const PROMPT_TOKENS = 128;
const OUTPUT_TOKENS = 100;
/** Longest duration of a run that is not ended, in seconds. */
const MAX_SECONDS = 300;

/** When and why a load was ended. */
interface Ending {
  /** Time since the start of the load, in seconds; null if it was not ended. */
  readonly seconds: number | null;
  readonly signal: string | null;
}

const capacity = measureCapacity();
for (const overload of values.overloads.split(',').map(Number))
  for (const seed of Array.from({ length: Number(values.pairs) }, (_, index) => index + 1))
    await measurePair(overload, seed);

/** Measures the throughput of a saturated server, in requests per second. */
function measureCapacity(): number {
  const requests = 1000;
  const load = { concurrency: 4 * MAX_RUNNING, requests, promptTokens: PROMPT_TOKENS };
  const { seconds } = runClosedLoop(
    { ...load, outputTokens: OUTPUT_TOKENS },
    { maxRunning: MAX_RUNNING, prefixCaching: false },
  );
  return requests / seconds;
}

async function measurePair(overload: number, seed: number): Promise<void> {
  const [withMetrics, without] = await Promise.all([
    measureEnding(overload, seed, []),
    measureEnding(overload, seed, ['--no-server-metrics']),
  ]);
  const isKnown = withMetrics!.seconds !== null && without!.seconds !== null;
  console.log(
    JSON.stringify({
      bench: 'saturation',
      figure: 'ended_after_s',
      capacity_rps: round(capacity, 2),
      overload,
      seed,
      with_metrics: withMetrics,
      without_metrics: without,
      earlier_s: isKnown ? round(without!.seconds! - withMetrics!.seconds!, 1) : null,
    }),
  );
}

async function measureEnding(overload: number, seed: number, args: readonly string[]): Promise<Ending> {
  const simulator = createSimulator({ model: 'm', seed, maxRunning: MAX_RUNNING, prefixCaching: false });
  const { url } = await simulator.listen();
  const folder = mkdtempSync(join(tmpdir(), 'servelens-saturation-'));
  const load = `--request-rate ${capacity * overload} --benchmark-duration ${MAX_SECONDS} --stop-over-saturated --random-seed ${seed}`;
  const inputs = `--tokenizer builtin --isl ${PROMPT_TOKENS} --osl ${OUTPUT_TOKENS}`;
  try {
    const all = `--model m --url ${url} --streaming ${load} ${inputs} --artifact-dir ${folder}`;
    await runServelensProfile([...all.split(' '), ...args]);
    const document: ProfileExport = JSON.parse(
      readFileSync(join(folder, 'profile_export_aiperf.json'), 'utf8'),
    );
    const evidence = document.load_generator?.over_saturation;
    return { seconds: evidence ? round(evidence.detected_after, 1) : null, signal: evidence?.signal ?? null };
  } finally {
    await simulator.close();
    rmSync(folder, { recursive: true });
  }
}
