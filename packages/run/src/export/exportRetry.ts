import { FORMATS, type RunRecord } from '@org/record';
import { type ExportOptions, type ExportResult, exportRun, type RunExports } from './exportRun.ts';

/** Pauses between attempts, in seconds. */
const PAUSES_S: readonly number[] = [1, 2, 4, 8, 15];

/** Total duration of the pauses, in seconds. */
export const MAX_RETRY_SECONDS: number = PAUSES_S.reduce((sum, pause) => sum + pause);

/** Decides whether exports that failed because the disk is full are attempted again. */
export interface DiskFullRetryPolicy {
  readonly shouldRetry: () => boolean;
  /** Called before the first pause. */
  readonly onRetry: () => void;
  /** Waits before the next attempt. Resolves to false if no further attempt should be made. */
  readonly pause: (seconds: number) => Promise<boolean>;
}

/**
 * Writes the exports of a run. Exports that failed because the disk is full are retried if `shouldRetry`
 * returns true, because data that exists only in memory is lost when the process ends.
 */
export async function exportWithRetry(
  record: RunRecord,
  options: ExportOptions,
  { shouldRetry, onRetry, pause }: DiskFullRetryPolicy,
): Promise<RunExports> {
  let exports = await exportRun(record, options);
  if (!exports.results.some(isDiskFull) || !shouldRetry()) return exports;
  onRetry();
  for (const seconds of PAUSES_S) {
    if (!(await pause(seconds))) break;
    exports = await retryMissing(record, options, exports);
    if (!exports.results.some(isDiskFull)) break;
  }
  return exports;
}

async function retryMissing(
  record: RunRecord,
  options: ExportOptions,
  { results }: RunExports,
): Promise<RunExports> {
  const missingFormats = results.filter(isDiskFull).map(({ format }) => format);
  const retriedExports = await exportRun(record, {
    ...options,
    formats: FORMATS.filter(format => missingFormats.includes(format)),
    parquetPartition: missingFormats.includes('partitioned parquet'),
  });
  const getLatest = (result: ExportResult): ExportResult =>
    retriedExports.results.find(({ format }) => format === result.format) ?? result;
  return { ...retriedExports, results: results.map(getLatest) };
}

function isDiskFull(result: ExportResult): boolean {
  return result.isDiskFull === true;
}
