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
import { seriesOf } from '../parquet/run.ts';

/** Rows of a scrape that one endpoint of `seriesOf` makes. */
const ROWS_PER_SCRAPE = 151;
/** Scrapes of which the JSON lines are made, over and over, with times that go on. */
const SCRAPES = 1000;
const LABELS = planLabelColumns(['engine', 'model_name']).columns;

/** Writes JSON lines of a busy vLLM: at least so many bytes. Gives how many lines. */
export async function makeJsonl(path: string, bytes: number): Promise<number> {
  const series = [...seriesOf(SCRAPES * ROWS_PER_SCRAPE)];
  const file = createWriteStream(path);
  let lines = 0;
  for (let length = 0; length < bytes; lines++) {
    const line = `${writeServerMetricsLine(recordOf(series, lines))}\n`;
    length += line.length;
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
  return lines;
}

function recordOf(series: readonly SeriesChunk[], line: number): ServerMetricsRecord {
  const { timestampsNs } = series[0]!;
  const scrapes = timestampsNs.length;
  const at = line % scrapes;
  const round = BigInt(Math.floor(line / scrapes));
  const timestamp_ns = timestampsNs[at]! + round * (timestampsNs.at(-1)! - timestampsNs[0]! + 333_000_000n);
  return {
    endpoint_url: series[0]!.endpointUrl,
    timestamp_ns,
    endpoint_latency_ns: 4_000_000n,
    request_sent_ns: timestamp_ns - 4_000_000n,
    first_byte_ns: timestamp_ns - 1_000_000n,
    metrics: Object.fromEntries(series.map(one => [one.metricName, [sampleOf(one, at)]])),
  };
}

function sampleOf(
  { labels, values, histogram }: SeriesChunk,
  at: number,
): ServerMetricsRecord['metrics'][string][number] {
  const labelled = labels.length > 0 ? { labels: Object.fromEntries(labels) } : {};
  if (!histogram) return { ...labelled, value: values![at]! };
  const { bounds, bucketCounts, sums, counts } = histogram;
  const buckets = Object.fromEntries(bounds.map((le, bucket) => [le, bucketCounts[bucket]![at]!]));
  return { ...labelled, buckets, sum: sums[at]!, count: counts[at]! };
}

/** Writes a Parquet export of about so many rows, with all metadata. Gives how many rows. */
export async function makeParquet(path: string, rows: number): Promise<number> {
  const metadata = buildParquetMetadata({
    version: '0.0.0',
    benchmarkId: '00000000-0000-0000-0000-000000000000',
    exportTime: new Date(0),
    timeFilterStartNs: 1_765_793_061_000_000_000n,
    timeFilterEndNs: 1_765_799_061_000_000_000n,
    endpointUrls: ['http://node0:8000/metrics'],
    labelColumns: LABELS,
    metricTypeCounts: { gauge: 4, counter: 5, histogram: 7 },
    modelNames: ['Qwen/Qwen3-0.6B'],
    inputConfig: {},
    hostname: 'host',
  });
  const writer = await openServerMetricsParquet(path, { labelColumns: LABELS, metadata });
  for (const chunk of seriesOf(rows)) await writer.appendSeries(chunk);
  return (await writer.close()).rows;
}
