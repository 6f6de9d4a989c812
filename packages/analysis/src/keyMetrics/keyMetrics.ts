import { type KeyMetricDefinition, recognizeServers, type ServerDefinition } from '@org/servers';
import { CLIENT_ENDPOINT } from '../run/clientMetrics.ts';
import type { Run } from '../run/run.ts';
import {
  type RunSeries,
  readSliceValue,
  type SeriesType,
  type Stats,
  selectCompleteSlices,
} from '../run/series.ts';

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
   * One value per timeslice: the mean of a gauge or histogram, or the rate of a counter. Empty if the run was
   * exported without timeslices.
   */
  readonly trend: readonly number[];
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
  const servers = recognizeServers(run.families.keys());
  return [...servers, { name: 'Client', keyMetrics: CLIENT_METRICS }]
    .map(({ name, keyMetrics }) => ({
      server: { name },
      metrics: keyMetrics.flatMap(metric => readMetric(run, metric, name === 'Client')),
    }))
    .filter(({ metrics }) => metrics.length > 0);
}

function readMetric(run: Run, metric: KeyMetricDefinition, isClient: boolean): KeyMetric[] {
  const family = run.families.get(metric.name);
  if (!family || (family.series[0]?.endpoint === CLIENT_ENDPOINT) !== isClient) return [];
  return family.series.map(series => ({
    metric,
    type: series.type,
    unit: series.unit,
    endpointUrl: series.endpointUrl,
    endpoint: series.endpoint,
    labels: series.labels,
    stats: series.stats,
    trend: readTrend(series),
  }));
}

function readTrend(series: RunSeries): number[] {
  return selectCompleteSlices(series).map(readSliceValue);
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
