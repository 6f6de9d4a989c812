import type { AggregateMetric, ServerAggregateMetric, SweepMetric } from '@org/formats';
import type { Figure, RunFigures, SeriesFigures } from './figures.ts';
import { LEAST_RUNS, meanInterval } from './interval.ts';

/** What several runs say, as aggregates have it. */
export interface Combined<Block> {
  /** By `<tag>_<statistic>`. */
  readonly metrics: Record<string, Block>;
  /** By name. */
  readonly serverMetrics: Record<string, CombinedMetric<Block>>;
}

/** One metric of the servers: `ServerAggregateMetric` or `ServerSweepMetric`. */
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

/** Makes a block of a figure of several runs; undefined when too few have it. */
type Blocker<Block> = (figures: readonly Figure[]) => Block | undefined;

/** Figures over runs with their intervals. What fewer than two runs have is left out. */
export function combineRuns(runs: readonly RunFigures[], level: number): Combined<AggregateMetric> {
  return combined(runs, figures =>
    figures.length < LEAST_RUNS ? undefined : intervalBlock(figures, runs.length, level),
  );
}

/** The same for a variation of a sweep: of one run there is the value itself. */
export function combineVariation(runs: readonly RunFigures[], level: number): Combined<SweepMetric> {
  return combined<SweepMetric>(runs, figures => {
    const [first] = figures;
    if (!first) return undefined;
    if (figures.length >= LEAST_RUNS) return intervalBlock(figures, runs.length, level);
    return { mean: first.value, unit: first.unit, ...(runs.length > 1 ? { num_runs: 1 } : {}) };
  });
}

function intervalBlock(figures: readonly Figure[], runs: number, level: number): AggregateMetric {
  const interval = meanInterval(
    figures.map(({ value }) => value),
    level,
  );
  const fewer = figures.length < runs ? { num_runs: figures.length } : {};
  return { ...interval, unit: figures[0]!.unit, ...fewer };
}

function combined<Block>(runs: readonly RunFigures[], block: Blocker<Block>): Combined<Block> {
  // A map, since a server may call a metric `__proto__`.
  const serverMetrics = new Map<string, CombinedMetric<Block>>();
  for (const one of seriesOfRuns(runs)) {
    const stats = blocksOf(
      one.map(series => series.stats),
      block,
    );
    if (Object.keys(stats).length === 0) continue;
    const { metric, type, unit, endpointUrl, labels } = one[0]!;
    const known = serverMetrics.get(metric) ?? { type, ...(unit === undefined ? {} : { unit }), series: [] };
    serverMetrics.set(metric, known);
    known.series.push({ endpoint_url: endpointUrl, ...(labels ? { labels } : {}), stats });
  }
  return {
    metrics: blocksOf(
      runs.map(({ client }) => client),
      block,
    ),
    serverMetrics: Object.fromEntries(serverMetrics),
  };
}

/** One block for each figure that any run has, in the order in which they first come. */
function blocksOf<Block>(
  runs: readonly ReadonlyMap<string, Figure>[],
  block: Blocker<Block>,
): Record<string, Block> {
  const names = new Set(runs.flatMap(figures => [...figures.keys()]));
  const blocks = [...names].flatMap(name => {
    const found = block(runs.flatMap(figures => figures.get(name) ?? []));
    return found === undefined ? [] : [[name, found] as const];
  });
  return Object.fromEntries(blocks);
}

/** Series that are the same in several runs: of one metric, type, endpoint and labels. */
function seriesOfRuns(runs: readonly RunFigures[]): SeriesFigures[][] {
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
