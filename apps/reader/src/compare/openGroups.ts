import { openRun, type Run } from '@org/analysis';
import { findRepeatedRuns } from '@org/analysis/files';
import type { DefinitionFile } from '@org/servers';

/**
 * Opens the runs of each path: a run, or repeated runs. Opens them one at a time, so that at most one large file is held
 * in memory.
 */
export async function openGroups(
  paths: readonly string[],
  servers: readonly DefinitionFile[],
): Promise<(readonly Run[])[]> {
  const groups: (readonly Run[])[] = [];
  for (const path of paths) {
    const runs: Run[] = [];
    for (const run of await findRepeatedRuns(path)) runs.push(await openRun(run, { servers }));
    groups.push(runs);
  }
  return groups;
}
