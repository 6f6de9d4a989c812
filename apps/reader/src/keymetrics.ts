import type { ServerMetricsView } from '@org/formats/read';
import { shortNames } from './endpoint.ts';
import { recognisedServers, type ServerKind, type WatchedMetric, type WatchedStat } from './servers.ts';

type Metric = ServerMetricsView['metrics'][string];
type Series = Metric['series'][number];

/** One watched metric of one series, with the figures that its type has. */
export interface KeyFigure {
  readonly metric: WatchedMetric;
  readonly type: Metric['type'];
  readonly unit: string | null;
  readonly endpointUrl: string;
  /** Short name of the endpoint, which no other endpoint of the document has. */
  readonly endpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `avg`, `max`, `total`, `rate` and so on, as far as this series has them. */
  readonly stats: Readonly<Partial<Record<WatchedStat | 'count' | 'p50_estimate', number>>>;
  /** One value a timeslice, in order of time: mean of a gauge or histogram, rate of a counter. Empty without slices. */
  readonly trend: readonly number[];
}

/** What to watch on one kind of server, as far as the run has it. */
export interface KeyMetrics {
  readonly server: ServerKind;
  readonly figures: readonly KeyFigure[];
}

/** The key metrics of every kind of server that the document shows. */
export function keyMetrics(document: ServerMetricsView): KeyMetrics[] {
  const endpoints = shortNames(endpointUrls(document));
  return recognisedServers(Object.keys(document.metrics))
    .map(server => ({
      server,
      figures: server.metrics.flatMap(metric => figuresOf(document, metric, endpoints)),
    }))
    .filter(({ figures }) => figures.length > 0);
}

function* endpointUrls({ metrics }: ServerMetricsView): Generator<string> {
  for (const metric of Object.values(metrics))
    for (const { endpoint_url } of metric.series) yield endpoint_url;
}

function figuresOf(
  document: ServerMetricsView,
  metric: WatchedMetric,
  endpoints: ReadonlyMap<string, string>,
): KeyFigure[] {
  const found = Object.hasOwn(document.metrics, metric.name) ? document.metrics[metric.name] : undefined;
  if (!found) return [];
  return (found.series as readonly Series[]).map(series => ({
    metric,
    type: found.type,
    unit: found.unit ?? null,
    endpointUrl: series.endpoint_url,
    endpoint: endpoints.get(series.endpoint_url)!,
    labels: series.labels ?? {},
    stats: series.stats,
    trend: trendOf(series),
  }));
}

/** A slice that the end of the run has cut short says too little to be drawn beside the others. */
function trendOf(series: Series): number[] {
  const slices = 'timeslices' in series ? (series.timeslices ?? []) : [];
  return slices
    .filter(slice => slice.is_complete !== false)
    .map(slice => ('rate' in slice ? slice.rate : slice.avg));
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
export function distinctions(figures: readonly KeyFigure[]): Distinction[][] {
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
