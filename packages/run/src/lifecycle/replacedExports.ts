import { rmSync, statSync } from 'node:fs';
import { FORMATS, getExportPath } from '@org/record';
import { getPhasePaths, getProfilePaths } from '../profile/profilePaths.ts';

/** The exports of a run that have just been written. */
export interface NewExports {
  readonly folder: string;
  readonly prefix: string | undefined;
  /** Paths of the written files. */
  readonly written: readonly string[];
  /** Start of the run, in nanoseconds since 1970. */
  readonly startNs: bigint;
  readonly hasServerMetrics: boolean;
  readonly hasClientMetrics: boolean;
}

/**
 * Removes the exports of an earlier run that a new run with other formats has not overwritten, so that the folder does
 * not contain files of two runs. Files that were changed after the start of the new run are kept.
 */
export function removeReplacedExports({
  folder,
  prefix,
  written,
  startNs,
  hasServerMetrics,
  hasClientMetrics,
}: NewExports): void {
  const paths = [
    ...(hasServerMetrics ? FORMATS.map(format => getExportPath(folder, prefix, format)) : []),
    ...(hasClientMetrics ? listClientPaths(folder, prefix) : []),
  ];
  const startMs = Number(startNs / 1_000_000n);
  for (const path of paths) {
    if (written.includes(path)) continue;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.mtimeMs < startMs) rmSync(path, { force: true });
  }
}

/** Lists the client's exports that not every run writes. */
function listClientPaths(folder: string, prefix: string | undefined): string[] {
  const { json: _, csv: __, ready: ___, ...paths } = getProfilePaths(folder, prefix);
  return [
    ...Object.values(paths),
    ...Object.values(getPhasePaths(folder, prefix, 'warmup')),
    ...Object.values(getPhasePaths(folder, prefix, 'profiling')),
  ];
}
