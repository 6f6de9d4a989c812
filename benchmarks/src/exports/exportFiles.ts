import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { ServerMetricsRecord } from '@org/formats';
import {
  buildParquetMetadata,
  openServerMetricsParquet,
  planLabelColumns,
  type SeriesChunk,
} from '@org/formats/parquet';
import { writeServerMetricsLine } from '@org/formats/write';
import { generateSeries, listEndpointUrls, ROWS_PER_SCRAPE } from './syntheticSeries.ts';

/** Number of distinct scrapes in a JSONL file, which are repeated with later timestamps. */
const SCRAPES = 1000;
const LABELS = planLabelColumns(['engine', 'model_name']).columns;

/** Writes a JSONL export of a busy vLLM server with about `bytes` bytes or more. Returns the number of lines. */
export async function writeJsonl(path: string, bytes: number): Promise<number> {
  const series = [...generateSeries(SCRAPES * ROWS_PER_SCRAPE)];
  const file = createWriteStream(path);
  let lines = 0;
  for (let length = 0; length < bytes; lines++) {
    const line = `${writeServerMetricsLine(createRecord(series, lines))}\n`;
    length += line.length;
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
  return lines;
}

function createRecord(series: readonly SeriesChunk[], line: number): ServerMetricsRecord {
  const { timestampsNs } = series[0]!;
  const scrapes = timestampsNs.length;
  const scrape = line % scrapes;
  const repetition = BigInt(Math.floor(line / scrapes));
  const timestamp_ns =
    timestampsNs[scrape]! + repetition * (timestampsNs.at(-1)! - timestampsNs[0]! + 333_000_000n);
  return {
    endpoint_url: series[0]!.endpointUrl,
    timestamp_ns,
    endpoint_latency_ns: 4_000_000n,
    request_sent_ns: timestamp_ns - 4_000_000n,
    first_byte_ns: timestamp_ns - 1_000_000n,
    metrics: Object.fromEntries(series.map(chunk => [chunk.metricName, [createSample(chunk, scrape)]])),
  };
}

function createSample(
  { labels, values, histogram }: SeriesChunk,
  scrape: number,
): ServerMetricsRecord['metrics'][string][number] {
  const labelField = labels.length > 0 ? { labels: Object.fromEntries(labels) } : {};
  if (!histogram) return { ...labelField, value: values![scrape]! };
  const { bounds, bucketCounts, sums, counts } = histogram;
  const buckets = Object.fromEntries(bounds.map((le, bucket) => [le, bucketCounts[bucket]![scrape]!]));
  return { ...labelField, buckets, sum: sums![scrape]!, count: counts[scrape]! };
}

/** Writes a Parquet export with about `rows` rows and complete metadata. Returns the exact number of rows. */
export async function writeParquet(path: string, rows: number): Promise<number> {
  const metadata = buildParquetMetadata({
    version: '0.0.0',
    benchmarkId: '00000000-0000-0000-0000-000000000000',
    exportTime: new Date(0),
    timeFilterStartNs: 1_765_793_061_000_000_000n,
    timeFilterEndNs: 1_765_799_061_000_000_000n,
    endpointUrls: listEndpointUrls(rows),
    labelColumns: LABELS,
    metricTypeCounts: { gauge: 4, counter: 5, histogram: 7 },
    modelNames: ['Qwen/Qwen3-0.6B'],
    inputConfig: {},
    hostname: 'host',
  });
  const writer = await openServerMetricsParquet(path, { labelColumns: LABELS, metadata });
  for (const chunk of generateSeries(rows)) await writer.appendSeries(chunk);
  return (await writer.close()).rows;
}
