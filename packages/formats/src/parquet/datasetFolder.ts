import { readdir } from 'node:fs/promises';
import { PARTITION_COLUMNS } from './partition.ts';

/**
 * Whether a folder is a partitioned dataset: it has folders of endpoints in it.
 *
 * @throws the file system's error when the folder cannot be read
 */
export async function isDataset(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.some(entry => entry.isDirectory() && entry.name.startsWith(`${PARTITION_COLUMNS[0]}=`));
}
