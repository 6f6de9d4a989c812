import type { ServerMetricsView } from '@org/formats/read';
import { recognizeServers, type ServerDefinition, type WatchedMetric, type WatchedStat } from '@org/servers';
import { CLIENT_ENDPOINT } from '../run/clientMetrics.ts';
import type { Run } from '../run/run.ts';
import { createRunFromView } from '../run/run.ts';
import { type RunSeries, readSliceValue, type SeriesType, selectCompleteSlices } from '../run/series.ts';

/** One watched metric of one series, with the figures that its type has. */
export interface KeyMetric {
  readonly metric: WatchedMetric;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly endpointUrl: string;
  /** Short name of the endpoint, which no other endpoint of the run has. */
  readonly endpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `avg`, `max`, `total`, `rate` and so on, as far as this series has them. */
  readonly stats: Readonly<Partial<Record<WatchedStat | 'count' | 'p50_estimate', number>>>;
  /** One value a timeslice, in order of time: mean of a gauge or histogram, rate of a counter. Empty without slices. */
  readonly trend: readonly number[];
}

/** What to watch on one kind of server, as far as the run has it. */
export interface ServerKeyMetrics {
  readonly server: Pick<ServerDefinition, 'name'>;
  readonly figures: readonly KeyMetric[];
}

/** What the load generator measured, if its export is there (seed 004). */
const CLIENT_METRICS: readonly WatchedMetric[] = [
  { name: 'request_latency', stat: 'avg', meaning: 'end-to-end latency' },
  { name: 'time_to_first_token', stat: 'avg', meaning: 'time to first token' },
  { name: 'inter_token_latency', stat: 'avg', meaning: 'time between output tokens' },
  { name: 'request_throughput', stat: 'avg', meaning: 'completed requests a second' },
  { name: 'output_token_throughput', stat: 'avg', meaning: 'output tokens a second' },
];

/** The key metrics of every kind of server that a run shows, and of the client. */
export function findKeyMetrics(run: Run): ServerKeyMetrics[] {
  const servers = recognizeServers(run.families.keys());
  return [...servers, { name: 'Client', watched: CLIENT_METRICS }]
    .map(({ name, watched }) => ({
      server: { name },
      figures: watched.flatMap(metric => figuresOf(run, metric, name === 'Client')),
    }))
    .filter(({ figures }) => figures.length > 0);
}

/** The key metrics of every kind of server that a document shows. */
export function findKeyMetricsIn(document: ServerMetricsView): ServerKeyMetrics[] {
  return findKeyMetrics(createRunFromView(document));
}

function figuresOf(run: Run, metric: WatchedMetric, ofClient: boolean): KeyMetric[] {
  const family = run.families.get(metric.name);
  if (!family || (family.series[0]?.endpoint === CLIENT_ENDPOINT) !== ofClient) return [];
  return family.series.map(one => ({
    metric,
    type: one.type,
    unit: one.unit,
    endpointUrl: one.endpointUrl,
    endpoint: one.endpoint,
    labels: one.labels,
    stats: one.stats,
    trend: trendOf(one),
  }));
}

function trendOf(series: RunSeries): number[] {
  return selectCompleteSlices(series).map(readSliceValue);
}

/** One thing that tells a series apart from the others of its metric: a label, or (without `label`) its endpoint. */
export interface Distinction {
  readonly label?: string;
  readonly value: string;
}

/**
 * What tells the series of one metric apart: the endpoint when there are several, and the labels whose values differ.
 * Empty for a series that stands alone.
 */
export function distinguishSeries(figures: readonly KeyMetric[]): Distinction[][] {
  const names = new Set(figures.flatMap(({ labels }) => Object.keys(labels)));
  const telling = [...names]
    .filter(name => new Set(figures.map(({ labels }) => labels[name])).size > 1)
    .sort();
  const severalEndpoints = new Set(figures.map(({ endpointUrl }) => endpointUrl)).size > 1;
  return figures.map(({ endpoint, labels }) => [
    ...(severalEndpoints ? [{ value: endpoint }] : []),
    ...telling.filter(label => labels[label] !== undefined).map(label => ({ label, value: labels[label]! })),
  ]);
}
