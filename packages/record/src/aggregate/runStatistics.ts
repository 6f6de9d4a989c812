import type { ProfileExport, ServerAggregateMetric, ServerMetricsDocument } from '@org/formats';
import { listProfileMetrics } from '@org/formats/read';

/** The value of one statistic of a metric in one run. */
export interface Statistic {
  readonly value: number;
  readonly unit: string;
}

/** The value of one statistic of a client metric in one run. */
export interface ClientStatistic extends Statistic {
  /** Tag of the metric. */
  readonly tag: string;
  /** Name of the statistic, such as `p99`. */
  readonly stat: string;
}

/** The statistics of one server metric series in one run. */
export interface ServerSeries {
  readonly metric: string;
  readonly type: ServerAggregateMetric['type'];
  /** Unit of the samples. */
  readonly unit: string | undefined;
  readonly endpointUrl: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Values by name of the statistic. */
  readonly stats: ReadonlyMap<string, Statistic>;
}

/** The statistics of a run that are aggregated over repeated runs. */
export interface RunStatistics {
  /** Client metrics by `<tag>_<statistic>`. */
  readonly client: ReadonlyMap<string, ClientStatistic>;
  readonly servers: readonly ServerSeries[];
}

/** Statistics and metrics that are not results: the accuracy of an estimate, and timestamps. */
const EXCLUDED_STATISTICS: ReadonlySet<string> = new Set(['percentile_rank_error']);
const EXCLUDED_METRICS: ReadonlySet<string> = new Set(['min_request_timestamp', 'max_response_timestamp']);

/** Extracts the statistics from the exports of a run. */
export function extractRunStatistics(profile: ProfileExport, servers?: ServerMetricsDocument): RunStatistics {
  const client = new Map<string, ClientStatistic>();
  for (const [tag, { unit, ...stats }] of listProfileMetrics(profile)) {
    if (EXCLUDED_METRICS.has(tag)) continue;
    for (const [stat, value] of Object.entries(stats))
      if (isFiniteNumber(value) && !EXCLUDED_STATISTICS.has(stat))
        client.set(`${tag}_${stat}`, { value, unit: stat === 'count' ? 'count' : unit, tag, stat });
  }
  return { client, servers: servers ? toServerSeries(servers) : [] };
}

function toServerSeries({ metrics }: ServerMetricsDocument): ServerSeries[] {
  return Object.entries(metrics).flatMap(([metric, { type, unit, series }]) =>
    series.map(({ endpoint_url: endpointUrl, labels, stats }) => ({
      metric,
      type,
      unit: unit ?? undefined,
      endpointUrl,
      labels: labels ?? undefined,
      stats: toStatistics(stats ?? {}, unit ?? ''),
    })),
  );
}

function toStatistics(stats: object, unit: string): Map<string, Statistic> {
  const entries = Object.entries(stats).filter((entry): entry is [string, number] =>
    isFiniteNumber(entry[1]),
  );
  return new Map(entries.map(([stat, value]) => [stat, { value, unit: getUnit(stat, unit) }]));
}

/** Returns the unit of a statistic, from the unit of its metric. */
function getUnit(stat: string, unit: string): string {
  if (stat === 'count' || stat === 'resets') return 'count';
  if (stat === 'count_rate') return 'count/s';
  if (/^rate(?:_|$)|^sum_rate$/.test(stat)) return unit === '' ? '/s' : `${unit}/s`;
  return unit;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
