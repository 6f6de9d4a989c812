import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../measure/random.ts';
import { listFamilies } from './jsonExport.ts';

/** Client metrics that charts use, with their units. */
const CHARTED: readonly (readonly [tag: string, unit: string])[] = [
  ['request_throughput', 'requests/sec'],
  ['output_token_throughput', 'tokens/sec'],
  ['time_to_first_token', 'ms'],
  ['inter_token_latency', 'ms'],
  ['request_latency', 'ms'],
];
/** Number of client metrics of a load point. A run of Servelens has about 70. */
const CLIENT_METRICS = 70;
/** Number of server series of a load point. The simulated vLLM server has 64. */
const SERVER_SERIES = 64;
/** Unit of all server metrics. */
const UNIT = 'requests';
const PERCENTILES = ['p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99'];

/**
 * Writes the results of a sweep over the concurrency, with one run per load point, into a folder. Returns the path of the
 * file. The file is formatted like the files of Servelens.
 */
export function writeSweepExport(folder: string, points: number): string {
  const next = createRandom(3);
  const combinations = Array.from({ length: points }, (_, i) => createPoint(i, next));
  const sweep = {
    schema_version: '1.0',
    aiperf_version: '0.13.0',
    aggregation_type: 'sweep',
    num_profile_runs: points,
    num_successful_runs: points,
    failed_runs: [],
    metadata: {
      sweep_parameters: [{ name: 'concurrency', values: combinations.map((_, i) => i + 1) }],
      num_combinations: points,
      sweep_mode: 'repeated',
      confidence_level: 0.95,
      num_trials_per_value: 1,
      aggregation_type: 'sweep',
    },
    per_combination_metrics: combinations,
    best_configurations: {},
    pareto_optimal: [],
  };
  mkdirSync(join(folder, 'sweep_aggregate'), { recursive: true });
  const file = join(folder, 'sweep_aggregate', 'profile_export_aiperf_sweep.json');
  writeFileSync(file, JSON.stringify(sweep, null, 2));
  return file;
}

function createPoint(index: number, next: () => number): object {
  const concurrency = index + 1;
  const others = Array.from(
    { length: CLIENT_METRICS - CHARTED.length },
    (_, i) => [`metric_${i}`, 'ms'] as const,
  );
  const metrics = [...CHARTED, ...others].map(([tag, unit]) => [tag, createStatistics(unit, next)]);
  return {
    parameters: { concurrency },
    variation_index: index,
    variation_label: `concurrency_${concurrency}`,
    num_successful_runs: 1,
    requests: { succeeded: 100, failed: 0, cancelled: 0 },
    metrics: Object.fromEntries(metrics),
    server_metrics: createServerMetrics(next),
  };
}

/** Creates the statistics of a metric of a single run. */
function createStatistics(unit: string, next: () => number): object {
  const mean = 50 + 100 * next();
  const percentiles = PERCENTILES.map((name, i) => [name, mean * (0.5 + (i / 8) * next())]);
  return {
    ...{ mean, avg: mean, std: 0, min: mean / 2, max: 2 * mean, cv: 0, ci_low: mean, ci_high: mean, unit },
    ...Object.fromEntries(percentiles),
    count: 100,
    sum: 100 * mean,
  };
}

function createServerMetrics(next: () => number): object {
  const families = listFamilies();
  const perFamily = Math.ceil(SERVER_SERIES / families.length);
  return Object.fromEntries(
    families.map(([name, type]) => [
      `vllm:${name}`,
      { type, unit: UNIT, series: Array.from({ length: perFamily }, (_, i) => createSeries(i, next)) },
    ]),
  );
}

function createSeries(index: number, next: () => number): object {
  const stats = ['avg', 'min', 'max', 'std'].map(stat => [stat, { mean: 100 * next(), unit: UNIT }]);
  return {
    endpoint_url: 'http://10.0.0.1:8000/metrics',
    labels: { engine: String(index), model_name: 'meta-llama/Llama-3.1-8B-Instruct' },
    stats: Object.fromEntries(stats),
  };
}
