import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDataset } from '../parquet/dataset-folder.ts';

/** Exports by their default names and by those that a prefix gives them. */
const exportName = new RegExp(
  [
    /(^|_)server_metrics(_export)?\.(json|jsonl|csv|parquet)$/,
    /^profile_export(_aiperf)?(_timeslices)?\.(json|csv)$/,
    /^profile_export_aiperf_(aggregate|collated)\.json$/,
    /^profile_export\.jsonl$/,
    /_timeslices\.(json|csv)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Partitioned datasets, which are folders. */
const datasetName = /(^|_)server_metrics(_export)?$/;

/** The files to check, in the order of their names: a folder stands for the exports in it, a dataset for itself. */
export async function filesOf(names: readonly string[]): Promise<string[]> {
  return (await Promise.all(names.map(expand))).flat();
}

async function expand(name: string): Promise<string[]> {
  if (!(await isFolder(name)) || (await isDataset(name))) return [name];
  const entries = (await readdir(name)).sort();
  const found = await Promise.all(entries.map(async entry => [entry, await isExport(name, entry)] as const));
  return found.filter(([, is]) => is).map(([entry]) => join(name, entry));
}

async function isExport(folder: string, entry: string): Promise<boolean> {
  if (exportName.test(entry)) return true;
  const path = join(folder, entry);
  return datasetName.test(entry) && (await isFolder(path)) && (await isDataset(path));
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}
