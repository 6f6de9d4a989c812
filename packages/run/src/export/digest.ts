import type { Metric, ServerMetricsDocument } from '@org/formats';
import type { MetricStream, ServerMetricsStream } from '@org/formats/write';
import { WATCHED_METRICS } from '@org/servers';

/** How many figures of timeslices are kept, for all metrics together: some 50 MB. */
const MOST_FIGURES = 1_000_000;

type SeriesEntry = Metric['series'][number];

/**
 * Keeps of a document what the CSV and the summary of a run need, while the JSON export is written from it: statistics are
 * computed once. Of a very large run that is everything but the timeslices of most metrics.
 */
export class Digest {
  readonly #stream: ServerMetricsStream;
  readonly #metrics: [string, Metric][] = [];
  #figures = 0;
  #document: ServerMetricsDocument | undefined;

  constructor(stream: ServerMetricsStream) {
    this.#stream = stream;
  }

  /** The document, for one writer that goes through it to its end. */
  get passing(): ServerMetricsStream {
    return { ...this.#stream, metrics: this.#pass() };
  }

  /** What was kept; undefined before the writer has got to the end. */
  get document(): ServerMetricsDocument | undefined {
    return this.#document;
  }

  *#pass(): Generator<readonly [string, MetricStream]> {
    for (const [name, metric] of this.#stream.metrics) {
      const kept: SeriesEntry[] = [];
      yield [name, { ...metric, series: this.#passSeries(name, metric.series, kept) }];
      this.#metrics.push([name, { ...metric, series: kept } as Metric]);
    }
    this.#document = { ...this.#stream, metrics: Object.fromEntries(this.#metrics) };
  }

  *#passSeries(name: string, all: Iterable<SeriesEntry>, kept: SeriesEntry[]): Generator<SeriesEntry> {
    for (const series of all) {
      kept.push(this.#kept(name, series));
      yield series;
    }
  }

  #kept(name: string, series: SeriesEntry): SeriesEntry {
    const { timeslices, ...rest } = series;
    if (!timeslices || WATCHED_METRICS.has(name)) return series;
    this.#figures += timeslices.length * figuresOf(timeslices[0]);
    return this.#figures <= MOST_FIGURES ? series : (rest as SeriesEntry);
  }
}

/** What a digest keeps of a document that is not written. */
export function digested(stream: ServerMetricsStream): ServerMetricsDocument {
  const digest = new Digest(stream);
  for (const [, { series }] of digest.passing.metrics) for (const _ of series);
  return digest.document!;
}

function figuresOf(slice: object | undefined): number {
  const buckets = (slice as { buckets?: object | null } | undefined)?.buckets;
  return 5 + (buckets ? Object.keys(buckets).length : 0);
}
