import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { getExportPath, RunInputError } from '@org/record';
import { makeFolder } from '../lifecycle/artifactFolder.ts';
import { checkFolder } from '../lifecycle/folderUse.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import type { MergePlan } from './mergePlan.ts';

/**
 * Calls `merge` with the existing folder of the merged run. If the folder is new, and the merge leaves it empty, it is removed
 * again. Throws `RunInputError` if the folder contains a run, for example one of the shards.
 */
export async function withMergedFolder<T>(plan: MergePlan, merge: () => Promise<T>): Promise<T> {
  checkTarget(plan);
  const isNew = !existsSync(plan.folder);
  await makeFolder(plan.folder);
  try {
    return await merge();
  } finally {
    if (isNew) await removeIfEmpty(plan.folder);
  }
}

function checkTarget({ folder, prefix, shards }: MergePlan): void {
  const { json } = getProfilePaths(folder, prefix);
  const existing = [
    json,
    getExportPath(folder, prefix, 'json'),
    getExportPath(folder, prefix, 'parquet'),
  ].find(path => existsSync(path));
  if (existing !== undefined)
    throw new RunInputError(`${existing} already exists; write the merged run to another folder`);
  const repeated = shards.find(
    (shard, index) => shards.findIndex(other => resolve(other) === resolve(shard)) < index,
  );
  if (repeated !== undefined)
    throw new RunInputError(`the folder ${JSON.stringify(repeated)} is given twice`);
  checkFolder(folder, { prefix, writesServerMetrics: true, writesClientMetrics: true });
}

/** Removes the folder that a merge without a result has left empty. Other folders cannot be removed, and stay. */
async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}
