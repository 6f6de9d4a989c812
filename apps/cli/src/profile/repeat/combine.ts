import type { AggregateMetric, ServerAggregateMetric, ServerSweepMetric, SweepMetric } from '@org/formats';
import type { Figure, RunFigures, SeriesFigures } from './figures.ts';
import { LEAST_RUNS, meanInterval } from './interval.ts';

/** What several runs say, as aggregates have it. */
export interface Combined<Block, ServerMetric> {
  readonly metrics: Record<string, Block>;
  readonly serverMetrics: Record<string, ServerMetric>;
}

/** Figures over runs with their intervals. What fewer than two runs have is left out. */
export function combineRuns(
  runs: readonly RunFigures[],
  level: number,
): Combined<AggregateMetric, ServerAggregateMetric> {
  return combined(runs, figures => {
    if (figures.length < LEAST_RUNS) return undefined;
    return intervalBlock(figures, runs.length, level);
  });
}

/** The same for a variation of a sweep: of one run there is the value itself. */
export function combineVariation(
  runs: readonly RunFigures[],
  level: number,
): Combined<SweepMetric, ServerSweepMetric> {
  return combined(runs, figures => {
    const [{ value, unit }] = figures as [Figure];
    if (figures.length >= LEAST_RUNS) return intervalBlock(figures, runs.length, level);
    return { mean: value, unit, ...(runs.length > 1 ? { num_runs: 1 } : {}) };
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

type Blocks<Block> = Record<string, Block>;

function combined<Block>(
  runs: readonly RunFigures[],
  block: (figures: readonly Figure[]) => Block | undefined,
): Combined<Block, { type: never; unit?: string; series: never[] }> {
  const serverMetrics: Record<string, { type: string; unit?: string; series: object[] }> = {};
  for (const one of seriesOfRuns(runs)) {
    const stats = blocksOf(
      one.map(({ stats }) => stats),
      block,
    );
    if (Object.keys(stats).length === 0) continue;
    const { metric, type, unit, endpointUrl, labels } = one[0]!;
    serverMetrics[metric] ??= { type, ...(unit === undefined ? {} : { unit }), series: [] };
    serverMetrics[metric].series.push({ endpoint_url: endpointUrl, ...(labels ? { labels } : {}), stats });
  }
  return {
    metrics: blocksOf(
      runs.map(({ client }) => client),
      block,
    ),
    serverMetrics: serverMetrics as Record<string, { type: never; unit?: string; series: never[] }>,
  };
}

/** One block for each figure that any run has, in the order in which they first come. */
function blocksOf<Block>(
  runs: readonly ReadonlyMap<string, Figure>[],
  block: (figures: readonly Figure[]) => Block | undefined,
): Blocks<Block> {
  const names = new Set(runs.flatMap(figures => [...figures.keys()]));
  const blocks: Blocks<Block> = {};
  for (const name of names) {
    const found = block(runs.flatMap(figures => figures.get(name) ?? []));
    if (found) blocks[name] = found;
  }
  return blocks;
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
