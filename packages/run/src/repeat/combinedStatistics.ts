import type { AggregateMetric, ServerAggregateMetric, SweepMetric } from '@org/formats';
import { computeInterval } from './confidenceInterval.ts';
import { MIN_INTERVAL_RUNS } from './repeatPlan.ts';
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

/** Computes confidence intervals of all statistics that at least two runs have. */
export function combineRuns(runs: readonly RunStatistics[], level: number): Combined<AggregateMetric> {
  return combineStatistics(runs, statistics =>
    statistics.length < MIN_INTERVAL_RUNS ? undefined : toIntervalBlock(statistics, runs.length, level),
  );
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
    metrics: combineByName(addMissingCounts(runs.map(({ client }) => client)), combine),
    serverMetrics: Object.fromEntries(serverMetrics),
  };
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
