/** The types of metrics that the export knows; `unknown` has the columns of a gauge. */
export const METRIC_TYPES = ['gauge', 'counter', 'histogram', 'unknown'] as const;

export type MetricType = (typeof METRIC_TYPES)[number];

/** Cumulative histogram deltas of one series: one entry a timestamp. */
export interface HistogramColumns {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  /** Upper bounds as the server printed them, in the order of the rows, `+Inf` last. */
  readonly bounds: readonly string[];
  /** For each bound the number of observations at or below it. */
  readonly bucketCounts: readonly Float64Array[];
}

/**
 * A piece of one series, in columns: what the export has for it, already as deltas from the reference (seed 000,
 * "Delta Calculations").
 */
export interface SeriesChunk {
  readonly endpointUrl: string;
  readonly metricName: string;
  readonly metricType: MetricType;
  readonly unit: string | null;
  /** HELP text; null or empty when the server gives none, which is null in the file. */
  readonly description: string | null;
  /** Without `le`. An empty value stays an empty string; a label that is not there is null in the file. */
  readonly labels: readonly (readonly [name: string, value: string])[];
  /** Nanoseconds since the epoch. */
  readonly timestampsNs: BigInt64Array;
  /** Gauge, counter and unknown: one row a timestamp. */
  readonly values?: Float64Array;
  /** Histogram: one row a bucket and timestamp. */
  readonly histogram?: HistogramColumns;
}

/** How many rows `chunk` has. */
export function rowsOf(chunk: SeriesChunk): number {
  return chunk.timestampsNs.length * (chunk.histogram ? chunk.histogram.bounds.length : 1);
}

/**
 * Checks that the parts of a chunk fit together and that its numbers are finite.
 *
 * @throws {RangeError} naming the series, what does not fit and what would be accepted
 */
export function checkSeries(chunk: SeriesChunk): void {
  const { metricType, values, histogram } = chunk;
  if (!METRIC_TYPES.includes(metricType)) {
    throw wrong(chunk, `metricType ${JSON.stringify(metricType)} is not one of ${METRIC_TYPES.join(', ')}`);
  }
  if (metricType === 'histogram') {
    if (!histogram || values) throw wrong(chunk, 'a histogram needs `histogram` and takes no `values`');
    checkHistogram(chunk, histogram);
  } else {
    if (!values || histogram)
      throw wrong(chunk, `a ${metricType} needs \`values\` and takes no \`histogram\``);
    checkNumbers(chunk, 'values', values);
  }
}

function checkHistogram(chunk: SeriesChunk, histogram: HistogramColumns): void {
  const { bounds, bucketCounts } = histogram;
  if (bounds.length === 0 || bucketCounts.length !== bounds.length) {
    throw wrong(
      chunk,
      `${bounds.length} bounds and ${bucketCounts.length} bucketCounts; as many, and at least one, are needed`,
    );
  }
  checkNumbers(chunk, 'sums', histogram.sums);
  checkNumbers(chunk, 'counts', histogram.counts);
  bucketCounts.forEach((counts, bucket) => {
    checkNumbers(chunk, `bucketCounts[${bucket}]`, counts);
  });
}

function checkNumbers(chunk: SeriesChunk, what: string, numbers: Float64Array): void {
  const expected = chunk.timestampsNs.length;
  if (numbers.length !== expected) {
    throw wrong(chunk, `${what} has ${numbers.length} entries for ${expected} timestamps`);
  }
  for (let i = 0; i < expected; i++) {
    const number = numbers[i]!;
    // x - x is 0 for every finite number and NaN for all others.
    if (number - number !== 0) {
      throw wrong(chunk, `${what}[${i}] is ${number}; only finite numbers are accepted`);
    }
  }
}

function wrong(chunk: SeriesChunk, reason: string): RangeError {
  return new RangeError(`cannot write series ${chunk.metricName} of ${chunk.endpointUrl}: ${reason}`);
}
