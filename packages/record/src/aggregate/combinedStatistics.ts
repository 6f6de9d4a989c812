import type { AggregateMetric, ServerAggregateMetric, SweepMetric } from '@org/formats';
import { MIN_INTERVAL_RUNS } from '../intervalRuns.ts';
import { computeInterval } from './confidenceInterval.ts';
import type { RunStatistics, ServerSeries, Statistic } from './runStatistics.ts';

/** The statistics of several runs, combined for an aggregate. */
export interface Combined<Block> {
  /** Client metrics by `<tag>_<statistic>`. */
  readonly metrics: Record<string, Block>;
  /** Server metrics by name. */
  readonly serverMetrics: Record<string, CombinedMetric<Block>>;
}

/** A server metric: `ServerAggregateMetric` or `ServerSweepMetric`. */
export interface CombinedMetric<Block> {
  readonly type: ServerAggregateMetric['type'];
  readonly unit?: string;
  readonly series: CombinedSeries<Block>[];
}

interface CombinedSeries<Block> {
  readonly endpoint_url: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly stats: Record<string, Block>;
}

/** Combines the values of a statistic in several runs. Returns undefined if too few runs have the statistic. */
type Combine<Block> = (statistics: readonly Statistic[]) => Block | undefined;

/**
 * Computes confidence intervals of all statistics that at least two runs have. As in AIPerf, the intervals of a single
 * run are empty and have no critical value.
 */
export function combineRuns(runs: readonly RunStatistics[], level: number): Combined<AggregateMetric> {
  return combineStatistics(runs, statistics => {
    if (statistics.length >= MIN_INTERVAL_RUNS) return toIntervalBlock(statistics, runs.length, level);
    return runs.length === 1 ? toValueBlock(statistics[0]!) : undefined;
  });
}

function toValueBlock({ value, unit }: Statistic): AggregateMetric {
  return {
    ...{ mean: value, std: 0, min: value, max: value, cv: 0, se: 0 },
    ...{ ci_low: value, ci_high: value, t_critical: null, unit },
  };
}

/** Combines the runs of a variation of a sweep. A statistic that only one run has is included without an interval. */
export function combineVariation(runs: readonly RunStatistics[], level: number): Combined<SweepMetric> {
  return combineStatistics<SweepMetric>(runs, statistics => {
    const [first] = statistics;
    if (!first) return undefined;
    if (statistics.length >= MIN_INTERVAL_RUNS) return toIntervalBlock(statistics, runs.length, level);
    return { mean: first.value, unit: first.unit, ...(runs.length > 1 ? { num_runs: 1 } : {}) };
  });
}

/** Statistics of a metric in addition to its average, minimum and maximum in the sweep of AIPerf. */
const SINGLE_RUN_STATS: readonly string[] = [
  ...['p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'count', 'sum'],
];

/**
 * Returns the client metrics of the only run of a variation, by tag, in AIPerf's layout: the statistics over the
 * requests are next to the statistics over the single run.
 */
export function nestSingleRun({ client }: RunStatistics): Record<string, SweepMetric> {
  const metrics: Record<string, SweepMetric> = {};
  for (const { tag, stat, value: avg, unit } of client.values()) {
    if (stat !== 'avg') continue;
    const read = (name: string): number | undefined => client.get(`${tag}_${name}`)?.value;
    const details = SINGLE_RUN_STATS.map(name => [name, read(name)] as const);
    metrics[tag] = {
      ...{ mean: avg, avg, std: 0, min: read('min') ?? avg, max: read('max') ?? avg, cv: 0 },
      ...{ ci_low: avg, ci_high: avg, unit },
      ...Object.fromEntries(details.filter(([, value]) => value !== undefined)),
    };
  }
  return metrics;
}

function toIntervalBlock(statistics: readonly Statistic[], runs: number, level: number): AggregateMetric {
  const interval = computeInterval(
    statistics.map(({ value }) => value),
    level,
  );
  const runCount = statistics.length < runs ? { num_runs: statistics.length } : {};
  return { ...interval, unit: statistics[0]!.unit, ...runCount };
}

function combineStatistics<Block>(runs: readonly RunStatistics[], combine: Combine<Block>): Combined<Block> {
  // A map, because a metric may be called `__proto__`.
  const serverMetrics = new Map<string, CombinedMetric<Block>>();
  for (const matchingSeries of groupSeries(runs)) {
    const stats = combineByName(
      matchingSeries.map(series => series.stats),
      combine,
    );
    if (Object.keys(stats).length === 0) continue;
    const { metric, type, unit, endpointUrl, labels } = matchingSeries[0]!;
    const combinedMetric = serverMetrics.get(metric) ?? {
      type,
      ...(unit === undefined ? {} : { unit }),
      series: [],
    };
    serverMetrics.set(metric, combinedMetric);
    combinedMetric.series.push({ endpoint_url: endpointUrl, ...(labels ? { labels } : {}), stats });
  }
  return {
    metrics: combineByName(addMissingCounts(runs.map(({ client }) => omitCounts(client))), combine),
    serverMetrics: Object.fromEntries(serverMetrics),
  };
}

/**
 * Omits the numbers of values. `request_count` has the number of requests, and AIPerf's plots reject the mean of several
 * numbers, which may have a fraction.
 */
function omitCounts(client: RunStatistics['client']): ReadonlyMap<string, Statistic> {
  return new Map([...client].filter(([, { stat }]) => stat !== 'count'));
}

/** Metrics that a run contains only if they are not 0. */
const OPTIONAL_COUNTS = ['error_request_count_avg', 'cancelled_request_count_avg'] as const;

/** Adds counts of 0 to runs without failed or cancelled requests if other runs have some. */
function addMissingCounts(
  runs: readonly ReadonlyMap<string, Statistic>[],
): readonly ReadonlyMap<string, Statistic>[] {
  const names = OPTIONAL_COUNTS.filter(name => runs.some(run => run.has(name)));
  const zeros = names.map(name => [name, { value: 0, unit: 'requests' }] as const);
  return zeros.length === 0 ? runs : runs.map(run => new Map([...zeros, ...run]));
}

/** Combines each statistic that any run has, in order of first appearance. */
function combineByName<Block>(
  runs: readonly ReadonlyMap<string, Statistic>[],
  combine: Combine<Block>,
): Record<string, Block> {
  const names = new Set(runs.flatMap(statistics => [...statistics.keys()]));
  const blocks = [...names].flatMap(name => {
    const block = combine(runs.flatMap(statistics => statistics.get(name) ?? []));
    return block === undefined ? [] : [[name, block] as const];
  });
  return Object.fromEntries(blocks);
}

/** Groups the series of all runs by metric, type, endpoint and labels. */
function groupSeries(runs: readonly RunStatistics[]): ServerSeries[][] {
  const bySeries = new Map<string, ServerSeries[]>();
  for (const { servers } of runs) {
    for (const series of servers) {
      const labels = Object.entries(series.labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
      const key = JSON.stringify([series.metric, series.type, series.endpointUrl, labels]);
      const group = bySeries.get(key);
      if (group) group.push(series);
      else bySeries.set(key, [series]);
    }
  }
  return [...bySeries.values()];
}
