import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.SERVELENS_SHARED ?? join(import.meta.dirname, '../../../../shared');

/** A folder of shared test data; undefined, and said so, where it is not there. */
export function sharedFolder(name: string): string | undefined {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  console.warn(`skipped: no shared test data at ${path} (set SERVELENS_SHARED)`);
  return undefined;
}
