import { estimateMomentsPercentiles } from '@org/core';
import type { ServerMetricsView, Source } from '@org/formats/read';
import { RunInputError } from '@org/record';
import { type OpenedRun, readJsonlRecord, readParquetRecord } from '@org/record/open';
import { createExportView, createServerMetricsDocument } from '@org/record/view';
import { SERVERS } from '@org/servers';

/** The duration of timeslices that are computed from samples, in seconds. */
const SLICE_SECONDS = 2;

/** Key metrics that are counters. JSONL does not record metric types, so all other metrics are read as gauges. */
const COUNTERS: ReadonlySet<string> = new Set(
  SERVERS.flatMap(({ keyMetrics }) =>
    keyMetrics.filter(({ stat }) => stat === 'rate' || stat === 'total').map(({ name }) => name),
  ),
);

/** Statistics computed from samples, and the limitations of the file as messages. */
export interface SampledMetrics {
  readonly view: ServerMetricsView;
  readonly notes: readonly string[];
}

/** Computes the statistics of a Parquet export. Parquet is read from its end, so a pipe is read completely first. */
export async function readParquetMetrics(source: Source): Promise<SampledMetrics> {
  return computeMetrics(await readParquetRecord(source.file ?? (await source.bytes())));
}

/** Computes the statistics of a JSONL export. */
export async function readJsonlMetrics(source: Source): Promise<SampledMetrics> {
  return computeMetrics(await readJsonlRecord(source, { isCounter: name => COUNTERS.has(name) }));
}

function computeMetrics({ record, warnings }: OpenedRun): SampledMetrics {
  if (record.endpoints.every(({ store }) => store.frameCount === 0))
    throw new RunInputError('the file contains no samples');
  const document = createServerMetricsDocument(createExportView(record), {
    estimator: estimateMomentsPercentiles,
    sliceSeconds: SLICE_SECONDS,
  });
  // Without a summary, it is unknown whether scrapes failed.
  const summary = record.summary ? document.summary : { ...document.summary, endpoint_info: {} };
  return { view: { ...document, summary } as ServerMetricsView, notes: warnings };
}
