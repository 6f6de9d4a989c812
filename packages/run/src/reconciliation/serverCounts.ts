import type { Layout, ScalarSeries } from '@org/core';
import type { CounterSeries, HistogramSeries, Metric, ServerMetricsDocument } from '@org/formats';
import type { Endpoint } from '@org/scrape';
import type { CountMetric, LabelFilter, LatencyMetric, ServerCatalog } from '@org/servers';

/** A latency that servers measured in the profiling period. */
export interface ServerLatency {
  readonly name: string;
  readonly avgMs: number;
  /** Number of observations. */
  readonly count: number;
  /** Percentiles, only for a single series: percentiles of several series cannot be combined. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** True if each observation is a gap between two tokens. False if each observation is a request. */
  readonly perToken: boolean;
}

type AnySeries = CounterSeries | HistogramSeries;

/**
 * Reads request counts, token counts and latencies of servers from the metrics document of a run. Corrects
 * counter resets.
 */
export class ServerCounts {
  readonly #metrics: ServerMetricsDocument['metrics'];
  readonly #servers: ServerCatalog;

  constructor(
    document: ServerMetricsDocument,
    servers: ServerCatalog,
    excludedEndpoints: readonly string[] = [],
  ) {
    this.#servers = servers;
    this.#metrics =
      excludedEndpoints.length === 0
        ? document.metrics
        : excludeEndpoints(document.metrics, excludedEndpoints);
  }

  /** Sums all series of the first listed metric that exists. Returns undefined if none exists. */
  sum(metrics: readonly CountMetric[]): number | undefined {
    const metric = this.#findFirst(metrics);
    if (!metric) return undefined;
    const parts = [metric, ...(metric.plus ?? []).map(name => ({ ...metric, name }))];
    return sumValues(
      parts.flatMap(part => this.#filterSeries(part).map(series => readAmount(series, part.of))),
    );
  }

  /** Sums the series of the first listed metric that exists, by endpoint URL. */
  sumByEndpoint(metrics: readonly CountMetric[]): Map<string, number> {
    const sums = new Map<string, number>();
    const metric = this.#findFirst(metrics);
    for (const series of metric ? this.#filterSeries(metric) : []) {
      const previousSum = sums.get(series.endpoint_url) ?? 0;
      sums.set(series.endpoint_url, previousSum + readAmount(series, metric!.of));
    }
    return sums;
  }

  /** The maximum number of resets of any series, by endpoint URL. Excludes endpoints without resets. */
  get resets(): ReadonlyMap<string, number> {
    const resets = new Map<string, number>();
    for (const { series } of Object.values(this.#metrics)) {
      for (const { endpoint_url, stats } of series as readonly AnySeries[]) {
        const count = 'resets' in stats ? Number(stats.resets) : 0;
        if (count > 0) resets.set(endpoint_url, Math.max(count, resets.get(endpoint_url) ?? 0));
      }
    }
    return resets;
  }

  /** Returns the first listed latency that has observations. */
  findLatency(metrics: readonly LatencyMetric[]): ServerLatency | undefined {
    for (const metric of metrics) {
      const latency =
        metric.by === undefined ? this.#readHistogram(metric) : this.#divideCounters(metric, metric.by);
      if (latency) return latency;
    }
    return undefined;
  }

  #readHistogram({ name, unitMs, per, where }: LatencyMetric): ServerLatency | undefined {
    const observedSeries = selectSeries(this.#listSeries(name).filter(isHistogram), where).filter(
      series => readAmount(series, 'count') > 0,
    );
    const count = sumValues(observedSeries.map(series => readAmount(series, 'count')));
    if (count === 0) return undefined;
    const total = sumValues(observedSeries.map(series => readAmount(series, 'sum')));
    const [onlySeries] = observedSeries.length === 1 ? observedSeries : [];
    const stats = onlySeries?.stats.increase ?? onlySeries?.stats;
    return {
      name,
      avgMs: (total / count) * unitMs,
      count,
      ...(stats?.p50_estimate === undefined ? {} : { p50Ms: stats.p50_estimate * unitMs }),
      ...(stats?.p99_estimate === undefined ? {} : { p99Ms: stats.p99_estimate * unitMs }),
      perToken: per === 'token',
    };
  }

  #divideCounters({ name, unitMs }: LatencyMetric, by: string): ServerLatency | undefined {
    const total = this.sum([{ name, of: 'total' }]);
    const count = this.sum([{ name: by, of: 'total' }]);
    if (total === undefined || !count) return undefined;
    return { name, avgMs: (total / count) * unitMs, count, perToken: false };
  }

  /** Returns the first metric that exists and has values of the required type. */
  #findFirst(metrics: readonly CountMetric[]): CountMetric | undefined {
    return metrics.find(({ name, of }) => this.#listSeries(name).some(series => hasAmount(series, of)));
  }

  /**
   * Lists the series of a metric that count each request once. On each endpoint, the first of the metric's names is used.
   */
  #listSeries(metric: string): readonly AnySeries[] {
    const found = new Set<string>();
    const all = this.#servers.listNames(metric).flatMap(name => {
      const series = Object.hasOwn(this.#metrics, name)
        ? (this.#metrics[name]!.series as readonly AnySeries[])
        : [];
      const added = series.filter(({ endpoint_url }) => !found.has(endpoint_url));
      for (const { endpoint_url } of added) found.add(endpoint_url);
      return added;
    });
    return this.#servers.omitRepeats(metric, all, ({ endpoint_url, labels }) => ({
      ...labels,
      endpoint_url,
    }));
  }

  #filterSeries({ name, of, where }: CountMetric): readonly AnySeries[] {
    return selectSeries(
      this.#listSeries(name).filter(entry => hasAmount(entry, of)),
      where,
    );
  }
}

function isHistogram(series: AnySeries): series is HistogramSeries {
  return hasAmount(series, 'count');
}

/** Reports whether a series has a value: a counter has a total, a histogram a number and a sum of observations. */
function hasAmount({ stats }: AnySeries, of: CountMetric['of']): boolean {
  return of === 'total' ? 'total' in stats : 'count' in stats;
}

/** Selects the series whose label has one of the values of the filter. */
function selectSeries<T extends AnySeries>(
  series: readonly T[],
  where: LabelFilter | undefined,
): readonly T[] {
  return where ? series.filter(({ labels }) => where.values.includes(labels?.[where.label] ?? '')) : series;
}

/** Reads a value of a series. After a reset, returns the increase, which is summed across the reset. */
function readAmount({ stats }: AnySeries, of: CountMetric['of']): number {
  if (of === 'total') return 'total' in stats ? (stats.increase ?? stats.total) : 0;
  if (!('count' in stats)) return 0;
  return (of === 'count' ? (stats.increase?.count ?? stats.count) : (stats.increase?.sum ?? stats.sum)) ?? 0;
}

function excludeEndpoints(
  metrics: ServerMetricsDocument['metrics'],
  urls: readonly string[],
): ServerMetricsDocument['metrics'] {
  const filtered = Object.entries(metrics).map(([name, metric]) => {
    const series = (metric.series as readonly AnySeries[]).filter(
      ({ endpoint_url }) => !urls.includes(endpoint_url),
    );
    return [name, { ...metric, series } as Metric] as const;
  });
  return Object.fromEntries(filtered.filter(([, { series }]) => series.length > 0));
}

function sumValues(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The parts of an endpoint that running requests are read from. */
type CountedEndpoint = Pick<Endpoint, 'layout' | 'latest'> & {
  readonly health?: Pick<Endpoint['health'], 'status'>;
};

/** Reports whether an endpoint is not removed. The last scrape of a removed endpoint is out of date. */
function isListed({ health }: CountedEndpoint): boolean {
  return health?.status !== 'removed';
}

/**
 * Sums the numbers of running requests in the last scrapes of all servers that are not removed. Returns undefined if no server
 * reports this number.
 */
export function countRunningRequests(
  endpoints: readonly CountedEndpoint[],
  servers: ServerCatalog,
): number | undefined {
  for (const { reconciliation } of servers.frontendsFirst) {
    for (const name of reconciliation.running.flatMap(metric => servers.listNames(metric))) {
      const latestValues = endpoints
        .filter(isListed)
        .flatMap(({ layout, latest }) =>
          servers
            .omitRepeats(name, selectScalars(layout, name), ({ labels }) => Object.fromEntries(labels))
            .map(({ value }) => latest?.[value] ?? Number.NaN),
        );
      const reportedValues = latestValues.filter(Number.isFinite);
      if (reportedValues.length > 0) return reportedValues.reduce((sum, value) => sum + value, 0);
    }
  }
  return undefined;
}

function selectScalars({ series }: Layout, name: string): readonly ScalarSeries[] {
  return series.filter(
    (entry): entry is ScalarSeries => entry.kind === 'scalar' && entry.family.name === name,
  );
}
