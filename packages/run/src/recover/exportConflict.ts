import { dirname } from 'node:path';
import { getExportPath, RunInputError } from '@org/record';
import type { RunHeader } from '@org/record/journal';
import { readBenchmarkId } from '../export/benchmarkId.ts';

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
