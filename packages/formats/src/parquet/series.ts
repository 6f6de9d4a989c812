/** Metric types of the export. Rows of type `unknown` use the same columns as gauges. */
export const METRIC_TYPES = ['gauge', 'counter', 'histogram', 'unknown'] as const;

export type MetricType = (typeof METRIC_TYPES)[number];

/** Cumulative histogram deltas of one series, with one entry per timestamp. */
export interface HistogramColumns {
  /** Null if the server exposes no `_sum`. */
  readonly sums: Float64Array | null;
  readonly counts: Float64Array;
  /** Upper bounds of the buckets as the server printed them, in the order of the rows, `+Inf` last. */
  readonly bounds: readonly string[];
  /** Number of observations at or below each bound. */
  readonly bucketCounts: readonly Float64Array[];
}

/**
 * Consecutive samples of one series, by column. Values of counters and histograms are deltas from the
 * reference sample.
 */
export interface SeriesChunk {
  readonly endpointUrl: string;
  readonly metricName: string;
  readonly metricType: MetricType;
  readonly unit: string | null;
  /** HELP text. Null and an empty text are both written as null. */
  readonly description: string | null;
  /** Labels except `le`. An empty value is written as an empty string, a missing label as null. */
  readonly labels: readonly (readonly [name: string, value: string])[];
  /** Nanoseconds since the Unix epoch. */
  readonly timestampsNs: BigInt64Array;
  /** Values of a gauge, a counter or a metric of unknown type: one row per timestamp. */
  readonly values?: Float64Array;
  /** Values of a histogram: one row per bucket and timestamp. */
  readonly histogram?: HistogramColumns;
}

/** Returns the number of rows of a chunk. */
export function countRows(chunk: SeriesChunk): number {
  return chunk.timestampsNs.length * (chunk.histogram ? chunk.histogram.bounds.length : 1);
}

/**
 * Checks that a chunk is consistent and that its numbers are finite.
 *
 * @throws {RangeError} if the chunk is inconsistent or contains a non-finite number
 */
export function checkSeries(chunk: SeriesChunk): void {
  const { metricType, values, histogram } = chunk;
  if (!METRIC_TYPES.includes(metricType)) {
    throw createError(
      chunk,
      `metricType ${JSON.stringify(metricType)} is not one of ${METRIC_TYPES.join(', ')}`,
    );
  }
  if (metricType === 'histogram') {
    if (!histogram || values) throw createError(chunk, 'a histogram needs `histogram` and no `values`');
    checkHistogram(chunk, histogram);
  } else {
    if (!values || histogram)
      throw createError(chunk, `a ${metricType} needs \`values\` and no \`histogram\``);
    checkNumbers(chunk, 'values', values);
  }
}

function checkHistogram(chunk: SeriesChunk, histogram: HistogramColumns): void {
  const { bounds, bucketCounts } = histogram;
  if (bounds.length === 0 || bucketCounts.length !== bounds.length) {
    throw createError(
      chunk,
      `${bounds.length} bounds and ${bucketCounts.length} bucketCounts; expected the same number, at least 1`,
    );
  }
  if (histogram.sums) checkNumbers(chunk, 'sums', histogram.sums);
  checkNumbers(chunk, 'counts', histogram.counts);
  bucketCounts.forEach((counts, bucket) => {
    checkNumbers(chunk, `bucketCounts[${bucket}]`, counts);
  });
}

function checkNumbers(chunk: SeriesChunk, field: string, numbers: Float64Array): void {
  const expected = chunk.timestampsNs.length;
  if (numbers.length !== expected) {
    throw createError(
      chunk,
      `${field} has ${numbers.length} entries; expected ${expected}, one per timestamp`,
    );
  }
  for (let i = 0; i < expected; i++) {
    const number = numbers[i]!;
    // x - x is 0 for every finite number and NaN for all others.
    if (number - number !== 0) {
      throw createError(chunk, `${field}[${i}] is ${number}; expected a finite number`);
    }
  }
}

function createError(chunk: SeriesChunk, reason: string): RangeError {
  return new RangeError(`cannot write series ${chunk.metricName} of ${chunk.endpointUrl}: ${reason}`);
}
