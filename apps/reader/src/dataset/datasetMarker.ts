import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of the file that marks the folder of a dataset. */
export const DATASET_MARKER = 'servelens-dataset.json';

/** Reports whether a path is the folder of a dataset. */
export async function isDatasetFolder(path: string): Promise<boolean> {
  const stats = await stat(join(path, DATASET_MARKER)).catch(() => undefined);
  return stats?.isFile() === true;
}
