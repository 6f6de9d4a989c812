import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FAST, MODEL } from './support.ts';

/** What starting processes, killing and recovering them may take on a slow machine, ms: some seconds are usual. */
export const PATIENCE_MS = 180_000;
/** Of that for one process to come to where it is killed. */
const WAIT_MS = 120_000;

const BIN = fileURLToPath(new URL('../../bin/servelens.js', import.meta.url));

/** Runs `servelens profile` as a process of its own and kills it once `isTime`. Returns what it said. */
export async function killedProfile(
  url: string,
  folder: string,
  args: readonly string[],
  isTime: () => boolean,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const all = ['--model', MODEL, '--url', url, '--artifact-dir', folder, '--random-seed', '7', ...args];
  const child = spawn(process.execPath, [BIN, 'profile', ...all], {
    env: { ...process.env, ...FAST, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', chunk => {
    said += chunk;
  });
  const ended = once(child, 'exit');
  const untilMs = performance.now() + WAIT_MS;
  try {
    while (!isTime()) {
      if (child.exitCode !== null) throw new Error(`it ended by itself: ${said}`);
      if (performance.now() > untilMs) throw new Error(`it has not come so far in ${WAIT_MS} ms: ${said}`);
      await sleep(10);
    }
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  return said;
}

/** Whole lines of requests that a run has by now. */
export function linesIn(folder: string): number {
  try {
    return readFileSync(join(folder, 'profile_export.jsonl'), 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
}
