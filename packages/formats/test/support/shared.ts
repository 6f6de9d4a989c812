import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.SERVELENS_SHARED ?? join(import.meta.dirname, '../../../../../shared');

/** Returns a folder of shared test data. If it does not exist, prints a warning and returns undefined. */
export function findSharedFolder(name: string): string | undefined {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  console.warn(`skipped: no shared test data at ${path} (set SERVELENS_SHARED)`);
  return undefined;
}
