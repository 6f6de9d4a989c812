import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';

/** Path of wrk, a load generator written in C; SERVELENS_WRK overrides it. */
const WRK = env.SERVELENS_WRK ?? 'wrk';

/**
 * Measures the request rate of wrk with one thread, in requests per second. If wrk is not installed, prints a note to
 * stderr and returns undefined.
 */
export function measureWrkRate(
  url: string,
  body: string,
  connections: number,
  seconds: number,
): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-wrk-'));
  const script = join(folder, 'post.lua');
  const lines = ['wrk.method = "POST"', `wrk.body = ${JSON.stringify(body)}`];
  writeFileSync(script, [...lines, 'wrk.headers["Content-Type"] = "application/json"'].join('\n'));
  const args = ['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '-s', script, url];
  const run = spawnSync(WRK, args, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (run.error) {
    console.error('skipping the peer: wrk not found;');
    console.error('install it with: apt-get install wrk (or set SERVELENS_WRK)');
    return undefined;
  }
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(run.stdout)?.[1];
  if (run.status !== 0 || rate === undefined) throw new Error(`wrk failed:\n${run.stdout}${run.stderr}`);
  return Number(rate);
}
