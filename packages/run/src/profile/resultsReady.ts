import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { type WriteResult, writeFileAtomic, writeResultsReadyJson } from '@org/formats/write';
import { listFiles, type WrittenExports } from '../lifecycle/runStorage.ts';

/** Removes the marker of an earlier run in the same folder. Call it before a file of that run is replaced. */
export async function removeReadyMarker(path: string): Promise<void> {
  await rm(path, { force: true });
}

/**
 * Writes the marker that the results are complete, after all other files. The marker of results with missing files
 * names these files.
 */
export async function writeReadyMarker(
  path: string,
  wasCancelled: boolean,
  exports: WrittenExports,
): Promise<WriteResult> {
  const names = listMissingFiles(exports).map(file => basename(file));
  const marker = {
    ready: true,
    was_cancelled: wasCancelled,
    partial: names.length > 0,
    ...(names.length > 0 ? { failed_exporters: names } : {}),
  };
  return writeFileAtomic(path, writeResultsReadyJson(marker));
}

/** Lists the paths of the exports that could not be written. */
function listMissingFiles(exports: WrittenExports): string[] {
  const results = exports.server?.exports.results ?? [];
  return [
    ...results.filter(({ failure }) => failure !== undefined),
    ...listFiles(exports).filter(({ ok }) => !ok),
  ].map(({ path }) => path);
}
