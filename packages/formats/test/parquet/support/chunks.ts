import type { MetricType, SeriesChunk } from '../../../src/parquet/index.ts';

/** Timestamp of the first sample. */
export const START_NS = 1765793061967310848n;
export const URL = 'http://localhost:8000/metrics';

/** Returns `count` timestamps at intervals of 333.000007 ms. */
export function createTimestamps(count: number, startNs: bigint = START_NS): BigInt64Array {
  return BigInt64Array.from({ length: count }, (_, i) => startNs + BigInt(i) * 333_000_007n);
}

type Labels = Readonly<Record<string, string>>;

/** Fields of a series that tests can set. */
interface Parts {
  readonly url?: string;
  readonly unit?: string | null;
  readonly description?: string | null;
  readonly labels?: Labels;
  readonly timestampsNs?: BigInt64Array;
}

function buildCommonFields(metricName: string, metricType: MetricType, count: number, parts: Parts) {
  return {
    endpointUrl: parts.url ?? URL,
    metricName,
    metricType,
    unit: parts.unit ?? null,
    description: parts.description ?? null,
    labels: Object.entries(parts.labels ?? {}),
    timestampsNs: parts.timestampsNs ?? createTimestamps(count),
  };
}

export function buildScalar(
  metricName: string,
  metricType: Exclude<MetricType, 'histogram'>,
  values: readonly number[],
  parts: Parts = {},
): SeriesChunk {
  return {
    ...buildCommonFields(metricName, metricType, values.length, parts),
    values: Float64Array.from(values),
  };
}

/** Builds a histogram. `observations[i]` contains the cumulative bucket counts at timestamp i. */
export function buildHistogram(
  metricName: string,
  bounds: readonly string[],
  observations: readonly (readonly number[])[],
  parts: Parts = {},
): SeriesChunk {
  return {
    ...buildCommonFields(metricName, 'histogram', observations.length, parts),
    histogram: {
      sums: Float64Array.from(observations, counts => counts.at(-1)! * 1.5),
      counts: Float64Array.from(observations, counts => counts.at(-1)!),
      bounds,
      bucketCounts: bounds.map((_, bucket) => Float64Array.from(observations, counts => counts[bucket]!)),
    },
  };
}

/** An expected row, by column name. */
export type Row = Readonly<Record<string, string | number | bigint | null>>;

/** Lists the rows that an export of a chunk must contain, ordered by timestamp and bucket. */
export function listExpectedRows(chunk: SeriesChunk, labelColumns: readonly string[]): Row[] {
  const labels = new Map(chunk.labels);
  const fixed = [
    ['endpoint_url', chunk.endpointUrl],
    ['metric_name', chunk.metricName],
    ['metric_type', chunk.metricType],
    ['unit', chunk.unit],
    ['description', chunk.description || null],
  ] as const;
  const labelCells = labelColumns.map(name => [name, labels.get(name) ?? null] as const);
  return Array.from(chunk.timestampsNs).flatMap((timestamp, i) =>
    listValueCells(chunk, i).map(cells =>
      Object.fromEntries([...fixed, ['timestamp_ns', timestamp], ...labelCells, ...cells]),
    ),
  );
}

/**
 * Lists the value cells of each row of a chunk at timestamp `i`: one row for a scalar, one per bucket for a
 * histogram.
 */
function listValueCells(
  { values, histogram: parts }: SeriesChunk,
  i: number,
): [string, string | number | null][][] {
  const buildCells = (
    value: number | null,
    sum: number | null,
    count: number | null,
    le: string | null,
    bucketCount: number | null,
  ) =>
    [
      ['value', value],
      ['sum', sum],
      ['count', count],
      ['bucket_le', le],
      ['bucket_count', bucketCount],
    ] satisfies [string, string | number | null][];
  if (values) return [buildCells(values[i]!, null, null, null, null)];
  return parts!.bounds.map((le, bucket) =>
    buildCells(null, parts!.sums![i]!, parts!.counts[i]!, le, parts!.bucketCounts[bucket]![i]!),
  );
}
