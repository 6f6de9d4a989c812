import { basename, dirname } from 'node:path';
import { estimateMomentsPercentiles } from '@org/core';
import type { ServerMetricsView, Source } from '@org/formats/read';
import { RunInputError } from '@org/record';
import { type OpenedRun, openRunRecord, readJsonlRecord, readParquetRecord } from '@org/record/open';
import { addRunServers } from '@org/record/servers';
import { createExportView, createServerMetricsDocument } from '@org/record/view';
import { type DefinitionFile, extendBuiltInServers } from '@org/servers';

/** The duration of timeslices that are computed from samples, in seconds. */
const SLICE_SECONDS = 2;

/** Statistics computed from samples, and the limitations of the file as messages. */
export interface SampledMetrics {
  readonly view: ServerMetricsView;
  readonly notes: readonly string[];
}

/** Computes the statistics of a Parquet export. Parquet is read from its end, so a pipe is read completely first. */
export async function readParquetMetrics(
  source: Source,
  added: readonly DefinitionFile[] = [],
): Promise<SampledMetrics> {
  return computeMetrics(await readParquetRecord(source.file ?? (await source.bytes())), added);
}

/** Computes the statistics of a JSONL export. */
export async function readJsonlMetrics(
  source: Source,
  added: readonly DefinitionFile[] = [],
): Promise<SampledMetrics> {
  const counters = listCounters(added);
  return computeMetrics(await readJsonlRecord(source, { isCounter: name => counters.has(name) }), added);
}

/** Lists the key metrics that are counters. JSONL does not record metric types, so all others are read as gauges. */
function listCounters(added: readonly DefinitionFile[]): ReadonlySet<string> {
  const { servers } = extendBuiltInServers(added);
  const metrics = servers.flatMap(({ keyMetrics }) => keyMetrics);
  return new Set(metrics.filter(({ stat }) => stat === 'rate' || stat === 'total').map(({ name }) => name));
}

/** The paths of the JSON export of a run and of the files that contain its samples. */
export interface SampledFiles {
  readonly json: string;
  readonly jsonl: string | undefined;
  readonly parquet: string | undefined;
}

/**
 * Computes the statistics of a run for its profiling phase, whose JSON export covers AIPerf's window. Returns the exported
 * statistics with a note if the samples cannot be read or are incomplete.
 */
export async function recomputeMetrics(
  exported: ServerMetricsView,
  { json, jsonl, parquet }: SampledFiles,
  added: readonly DefinitionFile[] = [],
): Promise<SampledMetrics> {
  const files = {
    json,
    ...(jsonl === undefined ? {} : { jsonl }),
    ...(parquet === undefined ? {} : { parquet }),
  };
  try {
    const opened = await openRunRecord({ folder: dirname(json), files }, undefined);
    if (opened.isIncomplete) return { view: exported, notes: opened.warnings };
    const { view, notes } = await computeMetrics(opened, added);
    const from = basename(opened.path);
    return { view, notes: [...notes, `server metrics are computed from ${from} for the profiling phase`] };
  } catch (error) {
    if (!(error instanceof RunInputError)) throw error;
    return { view: exported, notes: [error.message] };
  }
}

async function computeMetrics(
  { record: opened, warnings }: OpenedRun,
  added: readonly DefinitionFile[],
): Promise<SampledMetrics> {
  const { record, problems } = await addRunServers(opened, added);
  if (record.endpoints.every(({ store }) => store.frameCount === 0))
    throw new RunInputError('the file contains no samples');
  const document = createServerMetricsDocument(createExportView(record), {
    estimator: estimateMomentsPercentiles,
    sliceSeconds: SLICE_SECONDS,
  });
  // Without a summary, it is unknown whether scrapes failed.
  const summary = record.summary ? document.summary : { ...document.summary, endpoint_info: {} };
  return { view: { ...document, summary } as ServerMetricsView, notes: [...warnings, ...problems] };
}
