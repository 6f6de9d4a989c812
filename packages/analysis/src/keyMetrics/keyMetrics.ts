import {
  getStatType,
  type KeyMetricDefinition,
  type ServerCatalog,
  type ServerDefinition,
} from '@org/servers';
import { computeUptimeShare, findPresences } from '../run/availability.ts';
import { CLIENT_ENDPOINT } from '../run/clientMetrics.ts';
import type { Run } from '../run/run.ts';
import {
  isNonAdditiveUnit,
  readSeriesLabels,
  type SeriesType,
  type Stats,
  selectCompleteSlices,
} from '../run/series.ts';
import { listMetricSeries, recognizeServers } from '../servers/metricSeries.ts';
import { type OtherMetric, selectOtherMetrics } from './otherMetrics.ts';
import { createTrendAxis, readTrend, type Trend, type TrendAxis } from './trend.ts';

/** A key metric of one series, with its statistics. */
export interface KeyMetric {
  readonly metric: KeyMetricDefinition;
  /** The name of the metric without the prefix of its server. */
  readonly shortName: string;
  /** True if the series of the metric are averaged, as ratios are, instead of added. */
  readonly isAveraged: boolean;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly endpointUrl: string;
  /** Unique short name of the endpoint. */
  readonly endpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The available statistics of the series, such as `avg`, `max`, `total` and `rate`. */
  readonly stats: Stats;
  /** Fraction of profiling in which the endpoint was available; absent if it was always available. */
  readonly presence?: number;
  /** Fraction of the time between the first and the last sample in which the server was up; absent without a restart. */
  readonly uptimeShare?: number;
  /** Set if another series contains the values of this one, so that they are not added. */
  readonly isRepeat?: true;
  /** Set if screens show the median, because the meaning of the metric is unknown. */
  readonly showsMedian?: true;
  /**
   * One value per timeslice: the mean of a gauge or histogram, or the rate of a counter. All trends of a run have the
   * same time axis, with null where a series has no value. Empty if the run was exported without timeslices.
   */
  readonly trend: Trend;
}

/** The key metrics in a run for one kind of server, or for the client. */
export interface ServerKeyMetrics {
  readonly server: Pick<ServerDefinition, 'name'>;
  readonly metrics: readonly KeyMetric[];
}

/** The key metrics of the load generator. */
const CLIENT_METRICS: readonly KeyMetricDefinition[] = [
  { name: 'request_latency', stat: 'avg', meaning: 'end-to-end latency' },
  { name: 'time_to_first_token', stat: 'avg', meaning: 'time to first token' },
  { name: 'inter_token_latency', stat: 'avg', meaning: 'inter-token latency' },
  { name: 'request_throughput', stat: 'avg', meaning: 'completed requests per second' },
  { name: 'output_token_throughput', stat: 'avg', meaning: 'output tokens per second' },
];

/** The titles of the metrics of unknown servers, in a run without and with known servers. */
const UNKNOWN_SERVER = 'Unknown server';
const OTHER_METRICS = 'Other metrics';

/**
 * Finds the key metrics of every kind of server in a run, the main metrics of unknown servers, and those of
 * the client.
 */
export function findKeyMetrics(run: Run): ServerKeyMetrics[] {
  const servers = recognizeServers(run);
  const others = servers.length === 0 ? UNKNOWN_SERVER : OTHER_METRICS;
  const groups = [
    ...servers.map(({ name, keyMetrics }) => ({
      name,
      sources: keyMetrics.flatMap(metric => toServerSources(run, metric)),
    })),
    { name: others, sources: selectOtherMetrics(run) },
    { name: 'Client', sources: CLIENT_METRICS.map(metric => toClientSource(run, metric)) },
  ];
  const slices = groups.flatMap(({ sources }) =>
    sources.flatMap(({ series }) => series.map(selectCompleteSlices)),
  );
  const context = {
    servers: run.servers,
    axis: createTrendAxis(slices, run.times),
    presences: findPresences(run),
    uptimeShares: findUptimeShares(run),
  };
  return groups
    .map(({ name, sources }) => ({
      server: { name },
      metrics: sources.flatMap(source => readMetric(source, context, name === others)),
    }))
    .filter(({ metrics }) => metrics.length > 0);
}

/** A key metric and its series. */
type Source = Pick<OtherMetric, 'metric' | 'series'>;

/** Returns the series of a key metric with its type, by the name under which endpoints report it. */
function toServerSources(run: Run, metric: KeyMetricDefinition): Source[] {
  const expected = getStatType(metric.stat);
  const series = listMetricSeries(run, metric.name).filter(
    ({ endpoint, type }) => endpoint !== CLIENT_ENDPOINT && (type === expected || type === 'unknown'),
  );
  return run.servers
    .listNames(metric.name)
    .map(name => ({ metric: { ...metric, name }, series: series.filter(entry => entry.name === name) }))
    .filter(source => source.series.length > 0);
}

function toClientSource({ families }: Run, metric: KeyMetricDefinition): Source {
  const series = families.get(metric.name)?.series ?? [];
  return { metric, series: series.filter(({ endpoint }) => endpoint === CLIENT_ENDPOINT) };
}

function findUptimeShares({ endpoints, times }: Run): Map<string, number> {
  return new Map(endpoints.map(endpoint => [endpoint.url, computeUptimeShare(endpoint, times)]));
}

/** The data of a run that all of its key metrics share. */
interface MetricContext {
  readonly servers: ServerCatalog;
  readonly axis: TrendAxis | undefined;
  readonly presences: ReadonlyMap<string, number>;
  readonly uptimeShares: ReadonlyMap<string, number>;
}

function readMetric(
  { metric, series }: Source,
  { servers, axis, presences, uptimeShares }: MetricContext,
  isOther: boolean,
): KeyMetric[] {
  const counted = new Set(servers.omitRepeats(metric.name, series, readSeriesLabels));
  return series.map(entry => {
    const presence = presences.get(entry.endpointUrl);
    const uptimeShare = uptimeShares.get(entry.endpointUrl) ?? 1;
    return {
      metric,
      shortName: servers.stripPrefix(metric.name),
      isAveraged:
        isNonAdditiveUnit(entry.unit) ||
        metric.headline?.operation === 'max' ||
        servers.isAveraged(metric.name),
      type: entry.type,
      unit: entry.unit,
      endpointUrl: entry.endpointUrl,
      endpoint: entry.endpoint,
      labels: entry.labels,
      stats: entry.stats,
      ...(presence !== undefined && { presence }),
      ...(uptimeShare < 1 && { uptimeShare }),
      ...(!counted.has(entry) && { isRepeat: true as const }),
      ...(isOther && { showsMedian: true as const }),
      trend: readTrend(selectCompleteSlices(entry), axis),
    };
  });
}

/**
 * A label value that distinguishes a series from other series of its metric. Without `label`, `value` is the
 * endpoint.
 */
export interface Distinction {
  readonly label?: string;
  readonly value: string;
}

/**
 * Returns, for each series, its endpoint if there are several endpoints, and its labels whose values differ between
 * the series. The inner list is empty for a single series.
 */
export function distinguishSeries(metrics: readonly KeyMetric[]): Distinction[][] {
  const names = new Set(metrics.flatMap(({ labels }) => Object.keys(labels)));
  const differing = [...names]
    .filter(name => new Set(metrics.map(({ labels }) => labels[name])).size > 1)
    .sort();
  const hasSeveralEndpoints = new Set(metrics.map(({ endpointUrl }) => endpointUrl)).size > 1;
  return metrics.map(({ endpoint, labels }) => [
    ...(hasSeveralEndpoints ? [{ value: endpoint }] : []),
    ...differing
      .filter(label => labels[label] !== undefined && labels[label] !== '')
      .map(label => ({ label, value: labels[label]! })),
  ]);
}
