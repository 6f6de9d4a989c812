import type { DerivedMetric, Metric, ServerMetricsDocument } from '@org/formats';
import type { MetricStream, ServerMetricsStream } from '@org/formats/write';
import type { ServerCatalog } from '@org/servers';
import { ProgressReporter } from './exportProgress.ts';

/**
 * Maximum number of timeslice values to keep for all metrics together, except key metrics. They take about 50
 * MB.
 */
const MAX_TIMESLICE_VALUES = 1_000_000;

type SeriesEntry = Metric['series'][number];

/** Computes the derived metrics of a document. */
export type DeriveMetrics = (document: ServerMetricsDocument) => readonly DerivedMetric[];

/**
 * Collects the document for the CSV export and for summaries while the JSON export is written, so that
 * statistics are computed only once. For a very large run, it drops the timeslices that exceed the limit,
 * except those of key metrics, which summaries chart.
 */
export class Digest {
  readonly #stream: ServerMetricsStream;
  readonly #derive: DeriveMetrics | undefined;
  readonly #servers: ServerCatalog;
  readonly #metrics: [string, Metric][] = [];
  #timesliceValues = 0;
  #document: ServerMetricsDocument | undefined;

  constructor(stream: ServerMetricsStream, servers: ServerCatalog, derive?: DeriveMetrics) {
    this.#stream = stream;
    this.#servers = servers;
    this.#derive = derive;
  }

  /** The stream. One writer must read it to its end. */
  get passthrough(): ServerMetricsStream {
    return {
      ...this.#stream,
      metrics: this.#passMetrics(),
      ...(this.#derive ? { derived: this.#generateDerived(this.#derive) } : {}),
    };
  }

  /** Yields the derived metrics of the collected document. It is complete, because metrics are written first. */
  *#generateDerived(derive: DeriveMetrics): Generator<DerivedMetric> {
    if (this.#document) yield* derive(this.#document);
  }

  /** The collected document; undefined until the writer has read the whole stream. */
  get document(): ServerMetricsDocument | undefined {
    return this.#document;
  }

  *#passMetrics(): Generator<readonly [string, MetricStream]> {
    for (const [name, metric] of this.#stream.metrics) {
      const keptSeries: SeriesEntry[] = [];
      yield [name, { ...metric, series: this.#passSeries(name, metric.series, keptSeries) }];
      this.#metrics.push([name, { ...metric, series: keptSeries } as Metric]);
    }
    const { warmup_metrics: _, derived: __, ...header } = this.#stream;
    this.#document = { ...header, metrics: Object.fromEntries(this.#metrics) };
  }

  *#passSeries(
    name: string,
    entries: Iterable<SeriesEntry>,
    keptSeries: SeriesEntry[],
  ): Generator<SeriesEntry> {
    for (const entry of entries) {
      keptSeries.push(this.#trim(name, entry));
      yield entry;
    }
  }

  #trim(name: string, entry: SeriesEntry): SeriesEntry {
    const { timeslices, ...withoutTimeslices } = entry;
    if (!timeslices || this.#servers.isKeyMetric(name)) return entry;
    this.#timesliceValues += timeslices.length * countValues(timeslices[0]);
    return this.#timesliceValues <= MAX_TIMESLICE_VALUES ? entry : (withoutTimeslices as SeriesEntry);
  }
}

/** Computes the document of a stream that is not written as JSON. */
export async function collectDigest(
  stream: ServerMetricsStream,
  servers: ServerCatalog,
  progress: ProgressReporter = new ProgressReporter(),
): Promise<ServerMetricsDocument> {
  const digest = new Digest(stream, servers);
  for (const [, { series }] of digest.passthrough.metrics)
    for await (const _ of progress.pauseBetween(series));
  return digest.document!;
}

/** Estimates the number of values in a timeslice. */
function countValues(slice: object | undefined): number {
  const buckets = (slice as { buckets?: object | null } | undefined)?.buckets;
  return 5 + (buckets ? Object.keys(buckets).length : 0);
}
