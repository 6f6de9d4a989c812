import type { ProfileExport, ServerAggregateMetric, ServerMetricsDocument } from '@org/formats';
import { listProfileMetrics } from '@org/formats/read';

/** A number that a run produced. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** The figures of one server metric series, by statistic. */
export interface SeriesFigures {
  readonly metric: string;
  readonly type: ServerAggregateMetric['type'];
  /** Unit of the samples. */
  readonly unit: string | undefined;
  readonly endpointUrl: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly stats: ReadonlyMap<string, Figure>;
}

/** The figures of a run that are aggregated over repeated runs. */
export interface RunFigures {
  /** Client metrics by `<tag>_<statistic>`. */
  readonly client: ReadonlyMap<string, Figure>;
  readonly servers: readonly SeriesFigures[];
}

/** Statistics and metrics that are not results: the accuracy of an estimate, and timestamps. */
const EXCLUDED_STATISTICS: ReadonlySet<string> = new Set(['percentile_rank_error']);
const EXCLUDED_METRICS: ReadonlySet<string> = new Set(['min_request_timestamp', 'max_response_timestamp']);

/** Extracts the figures from the exports of a run. */
export function extractRunFigures(profile: ProfileExport, servers?: ServerMetricsDocument): RunFigures {
  const client = new Map<string, Figure>();
  for (const [tag, { unit, ...stats }] of listProfileMetrics(profile)) {
    if (EXCLUDED_METRICS.has(tag)) continue;
    for (const [stat, value] of Object.entries(stats))
      if (isFigure(value) && !EXCLUDED_STATISTICS.has(stat))
        client.set(`${tag}_${stat}`, { value, unit: stat === 'count' ? 'count' : unit });
  }
  return { client, servers: servers ? toSeriesFigures(servers) : [] };
}

function toSeriesFigures({ metrics }: ServerMetricsDocument): SeriesFigures[] {
  return Object.entries(metrics).flatMap(([metric, { type, unit, series }]) =>
    series.map(({ endpoint_url: endpointUrl, labels, stats }) => ({
      metric,
      type,
      unit: unit ?? undefined,
      endpointUrl,
      labels: labels ?? undefined,
      stats: toStatFigures(stats ?? {}, unit ?? ''),
    })),
  );
}

function toStatFigures(stats: object, unit: string): Map<string, Figure> {
  const entries = Object.entries(stats).filter((entry): entry is [string, number] => isFigure(entry[1]));
  return new Map(entries.map(([stat, value]) => [stat, { value, unit: getUnit(stat, unit) }]));
}

/** Returns the unit of a statistic, from the unit of its metric. */
function getUnit(stat: string, unit: string): string {
  if (stat === 'count' || stat === 'resets') return 'count';
  if (stat === 'count_rate') return 'count/s';
  if (/^rate(?:_|$)|^sum_rate$/.test(stat)) return unit === '' ? '/s' : `${unit}/s`;
  return unit;
}

function isFigure(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
