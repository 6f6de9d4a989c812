import type { CounterSeries, HistogramSeries, Metric, ServerMetricsDocument } from '@org/formats';
import type { CountMetric, LatencyMetric } from '@org/servers';

/** A latency as the servers kept it in the profiling period. */
export interface ServerLatency {
  readonly name: string;
  readonly avgMs: number;
  /** Only of a single series: percentiles of several cannot be put together. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly perToken: boolean;
}

/** Reads what the servers counted out of a document of theirs: only its profiling period. Resets are made good. */
export class ServerReading {
  readonly #metrics: ServerMetricsDocument['metrics'];

  /** `leftOut`: endpoints whose figures mean nothing. */
  constructor(document: ServerMetricsDocument, leftOut: readonly string[] = []) {
    this.#metrics = leftOut.length === 0 ? document.metrics : without(document.metrics, leftOut);
  }

  /** The first of the sources that is there, over all its series; undefined when none is. */
  amount(sources: readonly CountMetric[]): number | undefined {
    const source = sources.find(({ name }) => this.#metric(name));
    if (!source) return undefined;
    return sum(this.#series(source).map(series => amountOf(series, source.of)));
  }

  /** The same by endpoint. */
  amountByEndpoint(sources: readonly CountMetric[]): Map<string, number> {
    const found = new Map<string, number>();
    const source = sources.find(({ name }) => this.#metric(name));
    for (const series of source ? this.#series(source) : []) {
      const before = found.get(series.endpoint_url) ?? 0;
      found.set(series.endpoint_url, before + amountOf(series, source!.of));
    }
    return found;
  }

  /** Endpoints on which something began again, and how often it did at most. */
  get resets(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const { series } of Object.values(this.#metrics)) {
      for (const { endpoint_url, stats } of series as readonly AnySeries[]) {
        const count = 'resets' in stats ? Number(stats.resets) : 0;
        if (count > 0) found.set(endpoint_url, Math.max(count, found.get(endpoint_url) ?? 0));
      }
    }
    return found;
  }

  /** The first of the latencies that was observed. */
  latency(sources: readonly LatencyMetric[]): ServerLatency | undefined {
    for (const source of sources) {
      const found = source.by === undefined ? this.#histogram(source) : this.#quotient(source, source.by);
      if (found) return found;
    }
    return undefined;
  }

  #histogram({ name, unitMs, per }: LatencyMetric): ServerLatency | undefined {
    const metric = this.#metric(name);
    if (metric?.type !== 'histogram') return undefined;
    const observed = metric.series.filter(series => amountOf(series, 'count') > 0);
    const count = sum(observed.map(series => amountOf(series, 'count')));
    if (count === 0) return undefined;
    const total = sum(observed.map(series => amountOf(series, 'sum')));
    const [only] = observed.length === 1 ? observed : [];
    const stats = only?.stats.increase ?? only?.stats;
    return {
      name,
      avgMs: (total / count) * unitMs,
      ...(stats?.p50_estimate === undefined ? {} : { p50Ms: stats.p50_estimate * unitMs }),
      ...(stats?.p99_estimate === undefined ? {} : { p99Ms: stats.p99_estimate * unitMs }),
      perToken: per === 'token',
    };
  }

  #quotient({ name, unitMs }: LatencyMetric, by: string): ServerLatency | undefined {
    const total = this.amount([{ name, of: 'total' }]);
    const count = this.amount([{ name: by, of: 'total' }]);
    if (total === undefined || !count) return undefined;
    return { name, avgMs: (total / count) * unitMs, perToken: false };
  }

  #metric(name: string): Metric | undefined {
    return Object.hasOwn(this.#metrics, name) ? this.#metrics[name] : undefined;
  }

  #series({ name, where }: CountMetric): readonly AnySeries[] {
    const series = (this.#metric(name)?.series ?? []) as readonly AnySeries[];
    return where ? series.filter(({ labels }) => where.values.includes(labels?.[where.label] ?? '')) : series;
  }
}

type AnySeries = CounterSeries | HistogramSeries;

/** Where there was a reset, what was counted in spite of it. */
function amountOf({ stats }: AnySeries, of: CountMetric['of']): number {
  if (of === 'total') return 'total' in stats ? (stats.increase ?? stats.total) : 0;
  if (!('count' in stats)) return 0;
  return (of === 'count' ? (stats.increase?.count ?? stats.count) : (stats.increase?.sum ?? stats.sum)) ?? 0;
}

/** The metrics of the other endpoints. */
function without(
  metrics: ServerMetricsDocument['metrics'],
  urls: readonly string[],
): ServerMetricsDocument['metrics'] {
  const rest = Object.entries(metrics).map(([name, metric]) => {
    const series = (metric.series as readonly AnySeries[]).filter(one => !urls.includes(one.endpoint_url));
    return [name, { ...metric, series } as Metric] as const;
  });
  return Object.fromEntries(rest.filter(([, { series }]) => series.length > 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
