import type { RunRecord } from '@org/record';
import { FORMATS } from '@org/record';
import { type ExportOptions, type ExportResult, exportRun, type RunExports } from './exportRun.ts';

/** Pauses between tries, in seconds: half a minute in all. */
const PAUSES: readonly number[] = [1, 2, 4, 8, 15];

/** How long all tries take, in seconds. */
export const PATIENCE_SECONDS: number = PAUSES.reduce((sum, pause) => sum + pause);

export interface Patience {
  /** Whether exports that found no room are worth waiting for. */
  readonly isWorthIt: () => boolean;
  /** Called before the first pause. */
  readonly onWait: () => void;
  /** Waits so many seconds; false when it is not to go on. */
  readonly pause: (seconds: number) => Promise<boolean>;
}

/**
 * Writes the exports of a run; those that a full disk had no room for are tried again for a while, for what is in memory
 * only is gone with the process.
 */
export async function exportPatiently(
  record: RunRecord,
  options: ExportOptions,
  { isWorthIt, onWait, pause }: Patience,
): Promise<RunExports> {
  let exports = await exportRun(record, options);
  if (!exports.results.some(foundNoRoom) || !isWorthIt()) return exports;
  onWait();
  for (const seconds of PAUSES) {
    if (!(await pause(seconds))) break;
    exports = await triedAgain(record, options, exports);
    if (!exports.results.some(foundNoRoom)) break;
  }
  return exports;
}

async function triedAgain(
  record: RunRecord,
  options: ExportOptions,
  { results }: RunExports,
): Promise<RunExports> {
  const missing = results.filter(foundNoRoom).map(({ format }) => format);
  const again = await exportRun(record, {
    ...options,
    formats: FORMATS.filter(format => missing.includes(format)),
    parquetPartition: missing.includes('partitioned parquet'),
  });
  const newest = (old: ExportResult): ExportResult =>
    again.results.find(({ format }) => format === old.format) ?? old;
  return { ...again, results: results.map(newest) };
}

function foundNoRoom({ isDiskFull }: ExportResult): boolean {
  return isDiskFull === true;
}
