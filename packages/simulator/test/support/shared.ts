import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = process.env.SERVELENS_SHARED ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));

/** True if the shared test data exists. Tests that need the data are skipped without it. */
export const hasShared: boolean = existsSync(`${root}/fixtures/exposition`);
if (!hasShared) console.log(`skipped: no shared test data at ${root}; set SERVELENS_SHARED to its path`);

/** Returns a body of a real server from the shared test data, by its path there. */
export function readSharedBody(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8');
}
