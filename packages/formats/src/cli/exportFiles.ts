import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDataset } from '../parquet/datasetFolder.ts';

/** Exports by their default names and by those that a prefix gives them. */
const exportName = new RegExp(
  [
    /(^|_)server_metrics(_export)?\.(json|jsonl|csv|parquet)$/,
    /^profile_export(_aiperf)?(_timeslices)?\.(json|csv)$/,
    /^profile_export_aiperf_(aggregate|collated|sweep)\.json$/,
    /^profile_export_aiperf_(aggregate|sweep)\.csv$/,
    /^profile_export\.jsonl$/,
    /_timeslices\.(json|csv)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Partitioned datasets, which are folders. */
const datasetName = /(^|_)server_metrics(_export)?$/;

/** Folders in which nobody keeps exports, but which may hold very many files. */
const skippedFolder = /^(\.|node_modules$)/;

/**
 * The files to check, in the order of their names. A folder stands for the exports in it and below it, a dataset for itself;
 * so does a folder without exports, for which there is something to say.
 */
export async function filesOf(names: readonly string[]): Promise<string[]> {
  return (await Promise.all(names.map(expand))).flat();
}

async function expand(name: string): Promise<string[]> {
  if (!(await isFolder(name)) || (await isDataset(name))) return [name];
  const found = await exportsBelow(name);
  return found.length > 0 ? found : [name];
}

/** Links to folders are not followed: they may lead back. */
async function exportsBelow(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) found.push(...(exportName.test(entry.name) ? [path] : []));
    else if (await isDataset(path)) found.push(...(datasetName.test(entry.name) ? [path] : []));
    else if (!skippedFolder.test(entry.name)) found.push(...(await exportsBelow(path)));
  }
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}
