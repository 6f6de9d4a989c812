import type { AggregateMetric, ServerAggregateMetric, SweepMetric } from '@org/formats';
import { computeInterval } from './confidenceInterval.ts';
import { MIN_INTERVAL_RUNS } from './repeatPlan.ts';
import type { Figure, RunFigures, SeriesFigures } from './runFigures.ts';

/** The figures of several runs, in the form of aggregates. */
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

/** Combines the values of a figure in several runs. Returns undefined if too few runs have the figure. */
type Combine<Block> = (figures: readonly Figure[]) => Block | undefined;

/** Computes confidence intervals of all figures that at least two runs have. */
export function combineRuns(runs: readonly RunFigures[], level: number): Combined<AggregateMetric> {
  return combineFigures(runs, figures =>
    figures.length < MIN_INTERVAL_RUNS ? undefined : toIntervalBlock(figures, runs.length, level),
  );
}

/** Combines the runs of a variation of a sweep. A figure that only one run has is included without an interval. */
export function combineVariation(runs: readonly RunFigures[], level: number): Combined<SweepMetric> {
  return combineFigures<SweepMetric>(runs, figures => {
    const [first] = figures;
    if (!first) return undefined;
    if (figures.length >= MIN_INTERVAL_RUNS) return toIntervalBlock(figures, runs.length, level);
    return { mean: first.value, unit: first.unit, ...(runs.length > 1 ? { num_runs: 1 } : {}) };
  });
}

function toIntervalBlock(figures: readonly Figure[], runs: number, level: number): AggregateMetric {
  const interval = computeInterval(
    figures.map(({ value }) => value),
    level,
  );
  const fewer = figures.length < runs ? { num_runs: figures.length } : {};
  return { ...interval, unit: figures[0]!.unit, ...fewer };
}

function combineFigures<Block>(runs: readonly RunFigures[], combine: Combine<Block>): Combined<Block> {
  // A map, because a metric may be called `__proto__`.
  const serverMetrics = new Map<string, CombinedMetric<Block>>();
  for (const matching of groupSeries(runs)) {
    const stats = combineByName(
      matching.map(series => series.stats),
      combine,
    );
    if (Object.keys(stats).length === 0) continue;
    const { metric, type, unit, endpointUrl, labels } = matching[0]!;
    const known = serverMetrics.get(metric) ?? { type, ...(unit === undefined ? {} : { unit }), series: [] };
    serverMetrics.set(metric, known);
    known.series.push({ endpoint_url: endpointUrl, ...(labels ? { labels } : {}), stats });
  }
  return {
    metrics: combineByName(
      runs.map(({ client }) => client),
      combine,
    ),
    serverMetrics: Object.fromEntries(serverMetrics),
  };
}

/** Combines each figure that any run has, in order of first appearance. */
function combineByName<Block>(
  runs: readonly ReadonlyMap<string, Figure>[],
  combine: Combine<Block>,
): Record<string, Block> {
  const names = new Set(runs.flatMap(figures => [...figures.keys()]));
  const blocks = [...names].flatMap(name => {
    const found = combine(runs.flatMap(figures => figures.get(name) ?? []));
    return found === undefined ? [] : [[name, found] as const];
  });
  return Object.fromEntries(blocks);
}

/** Groups the series of all runs by metric, type, endpoint and labels. */
function groupSeries(runs: readonly RunFigures[]): SeriesFigures[][] {
  const bySeries = new Map<string, SeriesFigures[]>();
  for (const { servers } of runs) {
    for (const series of servers) {
      const labels = Object.entries(series.labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
      const key = JSON.stringify([series.metric, series.type, series.endpointUrl, labels]);
      const known = bySeries.get(key);
      if (known) known.push(series);
      else bySeries.set(key, [series]);
    }
  }
  return [...bySeries.values()];
}
