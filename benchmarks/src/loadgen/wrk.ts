import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';

/** Debian's wrk, a load generator in C; another by SERVELENS_WRK. */
const WRK = env.SERVELENS_WRK ?? 'wrk';

/** Requests/s of one thread of wrk that posts the same body; undefined, with a word on stderr, when it is not installed. */
export function wrkRequestsPerSecond(
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
    console.error('the peer is not measured: there is no wrk;');
    console.error('install it with: apt-get install wrk (SERVELENS_WRK names another binary)');
    return undefined;
  }
  const found = /Requests\/sec:\s+([\d.]+)/.exec(run.stdout)?.[1];
  if (run.status !== 0 || found === undefined) throw new Error(`wrk failed:\n${run.stdout}${run.stderr}`);
  return Number(found);
}
