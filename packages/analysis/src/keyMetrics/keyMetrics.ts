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

/** A key metric of one series, with the statistics of its type. */
export interface KeyMetric {
  readonly metric: KeyMetricDefinition;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly endpointUrl: string;
  /** Unique short name of the endpoint. */
  readonly endpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Statistics such as `avg`, `max`, `total` and `rate`, as far as the series has them. */
  readonly stats: Stats;
  /** One value per timeslice: the mean of a gauge or histogram, or the rate of a counter. Empty without slices. */
  readonly trend: readonly number[];
}

/** The key metrics of a server, as far as the run has them. */
export interface ServerKeyMetrics {
  readonly server: Pick<ServerDefinition, 'name'>;
  readonly figures: readonly KeyMetric[];
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
      figures: keyMetrics.flatMap(metric => readMetric(run, metric, name === 'Client')),
    }))
    .filter(({ figures }) => figures.length > 0);
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

/** A label that distinguishes a series from the others of its metric; without `label`, its endpoint. */
export interface Distinction {
  readonly label?: string;
  readonly value: string;
}

/**
 * Finds what distinguishes the series of a metric: the endpoint if there are several, and the labels whose
 * values differ. Empty for a single series.
 */
export function distinguishSeries(figures: readonly KeyMetric[]): Distinction[][] {
  const names = new Set(figures.flatMap(({ labels }) => Object.keys(labels)));
  const differing = [...names]
    .filter(name => new Set(figures.map(({ labels }) => labels[name])).size > 1)
    .sort();
  const severalEndpoints = new Set(figures.map(({ endpointUrl }) => endpointUrl)).size > 1;
  return figures.map(({ endpoint, labels }) => [
    ...(severalEndpoints ? [{ value: endpoint }] : []),
    ...differing
      .filter(label => labels[label] !== undefined)
      .map(label => ({ label, value: labels[label]! })),
  ]);
}
