import { type ExportFormat, getDefaultFormats, type RunRecord } from '@org/record';
import type { ExportOptions } from '../export/exportRun.ts';
import { readRunOptions } from '../export/runOptions.ts';
import type { MergeOptions, MergePlan } from './mergePlan.ts';
import type { ShardRun } from './shardRun.ts';

/** Returns the options for exporting the server metrics of a merged run: from the plan, otherwise from its shards. */
export function createExportOptions(
  record: RunRecord,
  shards: readonly ShardRun[],
  { folder, prefix, formats, parquetPartition = false }: MergePlan,
  { onProgress, onWarning = () => {} }: MergeOptions,
): ExportOptions {
  const run = readRunOptions(record);
  const known = formats ?? (run.formats.length > 0 ? run.formats : getDefaultFormats('servelens'));
  return {
    folder,
    formats: selectFormats(known, shards, onWarning),
    percentileMethod: run.percentileMethod,
    parquetPartition,
    ...(run.jsonLayout === undefined ? {} : { jsonLayout: run.jsonLayout }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(run.sliceSeconds === undefined ? {} : { sliceSeconds: run.sliceSeconds }),
    ...(onProgress ? { onProgress } : {}),
  };
}

/** Parquet exports have no raw values of cumulative series, so JSONL cannot be written from them. */
function selectFormats(
  formats: readonly ExportFormat[],
  shards: readonly ShardRun[],
  warn: (message: string) => void,
): readonly ExportFormat[] {
  const hasParquet = shards.some(({ servers }) => servers?.from === 'parquet');
  if (!hasParquet || !formats.includes('jsonl')) return formats;
  warn(
    'the JSONL export of the server metrics is omitted: it requires the JSONL exports or the journals (--keep-journal) of all shards',
  );
  return formats.filter(format => format !== 'jsonl');
}
