import type { Metric, ServerMetricsDocument } from '@org/formats';
import type { MetricStream, ServerMetricsStream } from '@org/formats/write';
import { KEY_METRIC_NAMES } from '@org/servers';

/** Maximum number of values in kept timeslices, over all metrics: about 50 MB. */
const MAX_TIMESLICE_VALUES = 1_000_000;

type SeriesEntry = Metric['series'][number];

/**
 * Collects the document for the CSV export and for summaries while the JSON export is written, so that statistics are computed
 * only once. For a very large run, it drops the timeslices of all metrics except those that summaries chart over time.
 */
export class Digest {
  readonly #stream: ServerMetricsStream;
  readonly #metrics: [string, Metric][] = [];
  #timesliceValues = 0;
  #document: ServerMetricsDocument | undefined;

  constructor(stream: ServerMetricsStream) {
    this.#stream = stream;
  }

  /** The stream, to be read to its end by one writer. */
  get passthrough(): ServerMetricsStream {
    return { ...this.#stream, metrics: this.#passMetrics() };
  }

  /** The kept document; undefined until the writer has read the whole stream. */
  get document(): ServerMetricsDocument | undefined {
    return this.#document;
  }

  *#passMetrics(): Generator<readonly [string, MetricStream]> {
    for (const [name, metric] of this.#stream.metrics) {
      const kept: SeriesEntry[] = [];
      yield [name, { ...metric, series: this.#passSeries(name, metric.series, kept) }];
      this.#metrics.push([name, { ...metric, series: kept } as Metric]);
    }
    this.#document = { ...this.#stream, metrics: Object.fromEntries(this.#metrics) };
  }

  *#passSeries(name: string, entries: Iterable<SeriesEntry>, kept: SeriesEntry[]): Generator<SeriesEntry> {
    for (const entry of entries) {
      kept.push(this.#trim(name, entry));
      yield entry;
    }
  }

  #trim(name: string, entry: SeriesEntry): SeriesEntry {
    const { timeslices, ...rest } = entry;
    if (!timeslices || KEY_METRIC_NAMES.has(name)) return entry;
    this.#timesliceValues += timeslices.length * countValues(timeslices[0]);
    return this.#timesliceValues <= MAX_TIMESLICE_VALUES ? entry : (rest as SeriesEntry);
  }
}

/** Returns the digest of a document that is not written. */
export function collectDigest(stream: ServerMetricsStream): ServerMetricsDocument {
  const digest = new Digest(stream);
  for (const [, { series }] of digest.passthrough.metrics) for (const _ of series);
  return digest.document!;
}

function countValues(slice: object | undefined): number {
  const buckets = (slice as { buckets?: object | null } | undefined)?.buckets;
  return 5 + (buckets ? Object.keys(buckets).length : 0);
}
