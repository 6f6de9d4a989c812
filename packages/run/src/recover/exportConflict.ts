import { closeSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { getExportPath, RunInputError } from '@org/record';
import type { RunHeader } from '@org/record/journal';
import { isRegularFile } from './regularFile.ts';

/** Thrown if a recovery would overwrite the exports of another run. */
export class ExportConflictError extends RunInputError {
  readonly journal: string;

  constructor(path: string, journal: string) {
    super(`${path} belongs to a different run than ${journal} and would be overwritten`);
    this.journal = journal;
  }
}

/**
 * Throws `ExportConflictError` if the folder of a journal contains the exports of a later run: they have the
 * same names, and the later run has removed its journal.
 */
export function checkConflict(journal: string, { benchmarkId, exports }: RunHeader): void {
  const path = getExportPath(dirname(journal), exports.prefix, 'json');
  const id = readBenchmarkId(path);
  if (id !== undefined && id !== benchmarkId) throw new ExportConflictError(path, journal);
}

/**
 * Number of bytes to search. `benchmark_id` is near the start of a JSON export; `input_config`, of any
 * length, is at its end.
 */
const HEAD_BYTES = 4096;

/** Reads the benchmark ID of the run that a JSON export belongs to; undefined if the file is missing or has none. */
function readBenchmarkId(path: string): string | undefined {
  return /"benchmark_id":\s*"([^"]*)"/.exec(readHead(path))?.[1];
}

function readHead(path: string): string {
  if (!isRegularFile(path)) return '';
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString('utf8', 0, readSync(file, head));
  } catch {
    return '';
  } finally {
    closeSync(file);
  }
}
