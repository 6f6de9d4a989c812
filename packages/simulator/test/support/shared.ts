import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = process.env.SERVELENS_SHARED ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));

/** Whether the shared test data is here. When it is not, the tests that need it say so and are skipped. */
export const hasShared: boolean = existsSync(`${root}/fixtures/exposition`);
if (!hasShared) console.log(`skipped: no shared test data at ${root}; set SERVELENS_SHARED to where it is`);

/** One body of a real server. */
export function sharedBody(name: string): string {
  return readFileSync(`${root}/fixtures/exposition/${name}`, 'utf8');
}
