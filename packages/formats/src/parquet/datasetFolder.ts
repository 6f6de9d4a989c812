import { readdir } from 'node:fs/promises';
import { PARTITION_COLUMNS } from './partition.ts';

/**
 * Reports whether a folder is a partitioned dataset: it contains partition folders of endpoints.
 *
 * @throws the file system's error if the folder cannot be read
 */
export async function isDataset(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.some(entry => entry.isDirectory() && entry.name.startsWith(`${PARTITION_COLUMNS[0]}=`));
}
