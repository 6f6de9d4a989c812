import { type KeyMetricDefinition, recognizeServers, type ServerDefinition } from '@org/servers';
import { CLIENT_ENDPOINT } from '../run/clientMetrics.ts';
import type { Run } from '../run/run.ts';
import { type RunFamily, type SeriesType, type Stats, selectCompleteSlices } from '../run/series.ts';
import { createTrendAxis, readTrend, type Trend, type TrendAxis } from './trend.ts';

/** A key metric of one series, with its statistics. */
export interface KeyMetric {
  readonly metric: KeyMetricDefinition;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly endpointUrl: string;
  /** Unique short name of the endpoint. */
  readonly endpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The available statistics of the series, such as `avg`, `max`, `total` and `rate`. */
  readonly stats: Stats;
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

/** Finds the key metrics of every kind of server in a run, and of the client. */
export function findKeyMetrics(run: Run): ServerKeyMetrics[] {
  const servers = [...recognizeServers(run.families.keys()), { name: 'Client', keyMetrics: CLIENT_METRICS }];
  const families = servers.flatMap(({ name, keyMetrics }) =>
    keyMetrics.flatMap(metric => findFamily(run, metric, name === 'Client') ?? []),
  );
  const slices = families.flatMap(({ series }) => series.map(selectCompleteSlices));
  const axis = createTrendAxis(slices, run.times);
  return servers
    .map(({ name, keyMetrics }) => ({
      server: { name },
      metrics: keyMetrics.flatMap(metric =>
        readMetric(findFamily(run, metric, name === 'Client'), metric, axis),
      ),
    }))
    .filter(({ metrics }) => metrics.length > 0);
}

function findFamily(
  { families }: Run,
  { name }: KeyMetricDefinition,
  isClient: boolean,
): RunFamily | undefined {
  const family = families.get(name);
  return (family?.series[0]?.endpoint === CLIENT_ENDPOINT) === isClient ? family : undefined;
}

function readMetric(
  family: RunFamily | undefined,
  metric: KeyMetricDefinition,
  axis: TrendAxis | undefined,
): KeyMetric[] {
  return (family?.series ?? []).map(series => ({
    metric,
    type: series.type,
    unit: series.unit,
    endpointUrl: series.endpointUrl,
    endpoint: series.endpoint,
    labels: series.labels,
    stats: series.stats,
    trend: readTrend(selectCompleteSlices(series), axis),
  }));
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
      .filter(label => labels[label] !== undefined)
      .map(label => ({ label, value: labels[label]! })),
  ]);
}
