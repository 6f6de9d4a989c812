import { type Direction, findDirection } from '../compare/rows/direction.ts';
import { combineSeries } from '../keyMetrics/combine.ts';
import { findKeyMetrics, type KeyMetric } from '../keyMetrics/keyMetrics.ts';
import type { Run } from '../run/run.ts';
import type { SeriesType } from '../run/series.ts';

/** A statistic of a key metric. A trend has one value of it per run. */
export interface FigureName {
  /** The kind of server, or `Client`. */
  readonly server: string;
  /** The name of the metric, and without the prefix of its server. */
  readonly metric: string;
  readonly shortName: string;
  readonly meaning: string;
  readonly stat: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly better: Direction;
}

/** The spread of the requests in a run, or of the values of repeated runs. */
export interface Spread {
  readonly of: 'requests' | 'repeats';
  /** The number of requests or repeats. */
  readonly count: number;
  readonly std: number;
  /** The lowest and highest repeat, or the quartiles of the requests. */
  readonly low: number;
  readonly high: number;
}

/** A statistic of a key metric of a run. */
export interface Figure extends FigureName {
  readonly value: number;
  readonly spread: Spread | null;
}

/** The statistics of a trend by type; of client latencies, also the tail. */
const STATS: Readonly<Partial<Record<SeriesType, readonly string[]>>> = {
  gauge: ['avg'],
  unknown: ['avg'],
  counter: ['rate'],
  histogram: ['avg'],
  summary: ['avg'],
  client: ['avg', 'p99'],
};

/** Reads the key metrics of a run: those that a comparison tests first, with the series of each metric combined. */
export function readFigures(run: Run): Figure[] {
  return findKeyMetrics(run).flatMap(({ server, metrics }) =>
    groupByName(metrics).flatMap(group => {
      const combined = combineSeries(group);
      return (STATS[combined.type] ?? []).flatMap(stat => readFigure(server.name, combined, stat));
    }),
  );
}

function groupByName(metrics: readonly KeyMetric[]): KeyMetric[][] {
  const groups = new Map<string, KeyMetric[]>();
  for (const metric of metrics)
    groups.set(metric.metric.name, [...(groups.get(metric.metric.name) ?? []), metric]);
  return [...groups.values()];
}

function readFigure(server: string, combined: KeyMetric, stat: string): Figure[] {
  const { metric, shortName, type, unit, stats } = combined;
  const value = stats[stat];
  if (value === undefined || !Number.isFinite(value)) return [];
  return [
    {
      server,
      metric: metric.name,
      shortName,
      meaning: metric.meaning,
      stat,
      type,
      unit,
      better: findDirection(metric.name, type),
      value,
      spread: stat === 'avg' ? readRequestSpread(combined) : null,
    },
  ];
}

/** Returns the spread of the requests of the client; null for metrics that are not measured per request. */
function readRequestSpread({ type, stats }: KeyMetric): Spread | null {
  const { count, std, p25, p75 } = stats as Readonly<Record<string, number | undefined>>;
  if (type !== 'client' || count === undefined || std === undefined) return null;
  if (p25 === undefined || p75 === undefined) return null;
  return { of: 'requests', count, std, low: p25, high: p75 };
}
