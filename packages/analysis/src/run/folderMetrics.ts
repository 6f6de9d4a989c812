import type { ServerMetricsView } from '@org/formats/read';
import type { DefinitionFile } from '@org/servers';
import { isReadError, openFileSource } from './readErrors.ts';
import { createNoRunError, type RunFiles } from './runFiles.ts';
import { readTimes } from './runTimes.ts';
import { type MetricsWithLayout, type Reading, readMetrics } from './serverMetricsFile.ts';
import { findWindow } from './statisticsWindow.ts';

/** The server metrics of a run without server metrics. */
export const NO_METRICS: ServerMetricsView = { schema_version: '1.0', metrics: {} };

/**
 * Reads the server metrics of a folder from the first file that can be read. If the statistics of the JSON export do not
 * cover the profiling phase, or if this is unknown, they are computed again from its samples.
 */
export async function readFolderMetrics(
  folder: string,
  files: RunFiles,
  reading: Reading,
): Promise<MetricsWithLayout> {
  const candidates = listMetricsFiles(files);
  const hasRequests =
    files.profile !== undefined || (files.requests !== undefined && files.journal === undefined);
  const problems: string[] = [];
  for (const [index, file] of candidates.entries()) {
    try {
      const metrics = await readMetrics(file, await openFileSource(file), reading);
      const recomputed = await recompute(metrics, files, reading.added);
      return { ...recomputed, notes: [...problems, ...(recomputed.notes ?? [])] };
    } catch (error) {
      const isLast = index === candidates.length - 1;
      if ((isLast && !hasRequests) || !isReadError(error)) throw error;
      problems.push(`${(error as Error).message.split('\n')[0]}`);
    }
  }
  if (hasRequests) return { layout: 'none', view: NO_METRICS, notes: problems };
  throw createNoRunError(folder, files.journal);
}

/** Lists the files with server metrics, best first. CSV contains no times, and JSONL no types of metrics. */
function listMetricsFiles({ aggregated, csv, parquet, records }: RunFiles): string[] {
  const json = aggregated === csv ? undefined : aggregated;
  return [json, parquet, csv, records].filter(file => file !== undefined);
}

async function recompute(
  metrics: MetricsWithLayout,
  files: RunFiles,
  added: readonly DefinitionFile[],
): Promise<MetricsWithLayout> {
  const { aggregated: json, records: jsonl, parquet } = files;
  const hasSamples = jsonl !== undefined || parquet !== undefined;
  if (metrics.layout !== 'json' || json === undefined || !hasSamples) return metrics;
  if (!findWindow(metrics.view, readTimes(metrics.view, undefined))) return metrics;
  const { recomputeMetrics } = await import('./sampledMetrics.ts');
  return { layout: 'json', ...(await recomputeMetrics(metrics.view, { json, jsonl, parquet }, added)) };
}
