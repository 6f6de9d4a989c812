import type { ProfileExport, ServerAggregateMetric, ServerMetricsDocument } from '@org/formats';
import { listProfileMetrics } from '@org/formats/read';

/** One number of a run. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** The figures of one series of a server by statistic. */
export interface SeriesFigures {
  readonly metric: string;
  readonly type: ServerAggregateMetric['type'];
  /** Unit of its samples. */
  readonly unit: string | undefined;
  readonly endpointUrl: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly stats: ReadonlyMap<string, Figure>;
}

/** What is kept of a run to be put together with others. */
export interface RunFigures {
  /** By `<tag>_<statistic>`. */
  readonly client: ReadonlyMap<string, Figure>;
  readonly servers: readonly SeriesFigures[];
}

/** They say how a figure was made, or when a run was, and are none of its results. */
const NOT_AVERAGED: ReadonlySet<string> = new Set(['percentile_rank_error']);
const MOMENTS: ReadonlySet<string> = new Set(['min_request_timestamp', 'max_response_timestamp']);

/** The figures in the exports of a run. */
export function runFigures(profile: ProfileExport, servers?: ServerMetricsDocument): RunFigures {
  const client = new Map<string, Figure>();
  for (const [tag, { unit, ...stats }] of listProfileMetrics(profile)) {
    if (MOMENTS.has(tag)) continue;
    for (const [stat, value] of Object.entries(stats))
      if (isFigure(value) && !NOT_AVERAGED.has(stat))
        client.set(`${tag}_${stat}`, { value, unit: stat === 'count' ? 'count' : unit });
  }
  return { client, servers: servers ? seriesFigures(servers) : [] };
}

function seriesFigures({ metrics }: ServerMetricsDocument): SeriesFigures[] {
  return Object.entries(metrics).flatMap(([metric, { type, unit, series }]) =>
    series.map(({ endpoint_url: endpointUrl, labels, stats }) => ({
      metric,
      type,
      unit: unit ?? undefined,
      endpointUrl,
      labels: labels ?? undefined,
      stats: statFigures(stats ?? {}, unit ?? ''),
    })),
  );
}

function statFigures(stats: object, unit: string): Map<string, Figure> {
  const found = Object.entries(stats).filter((entry): entry is [string, number] => isFigure(entry[1]));
  return new Map(found.map(([stat, value]) => [stat, { value, unit: unitOf(stat, unit) }]));
}

/** The unit of a statistic of a metric with this unit. */
function unitOf(stat: string, unit: string): string {
  if (stat === 'count' || stat === 'resets') return 'count';
  if (stat === 'count_rate') return 'count/s';
  if (/^rate(?:_|$)|^sum_rate$/.test(stat)) return unit === '' ? '/s' : `${unit}/s`;
  return unit;
}

function isFigure(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
