import { MODEL } from './profileRun.ts';
import { FAST_SCRAPES, startServelens } from './servelens.ts';

/** Runs `servelens profile` and kills it when `isTimeToKill` returns true. Returns what it wrote to stderr. */
export async function killProfile(
  url: string,
  folder: string,
  args: readonly string[],
  isTimeToKill: () => boolean,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const fixed = ['--model', MODEL, '--url', url, '--artifact-dir', folder, '--random-seed', '7'];
  const run = startServelens(['profile', ...fixed, ...args], {
    cwd: process.cwd(),
    env: { ...FAST_SCRAPES, ...env },
  });
  try {
    await run.waitUntil(isTimeToKill);
  } finally {
    run.kill('SIGKILL');
    await run.ended;
  }
  return run.err;
}
