import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Exports by their default names and by those that a prefix gives them. */
const exportName = /(^|_)server_metrics(_export)?\.(json|jsonl|csv|parquet)$|^profile_export_aiperf\.json$/;

/** The files to check: a folder stands for the exports in it, in the order of their names. */
export async function filesOf(names: readonly string[]): Promise<string[]> {
  return (await Promise.all(names.map(expand))).flat();
}

async function expand(name: string): Promise<string[]> {
  const isFolder = await stat(name).then(
    found => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [name];
  const exports = (await readdir(name)).filter(file => exportName.test(file)).sort();
  return exports.map(file => join(name, file));
}
