import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';
import { root } from '../source.ts';
import { hasTmux, Tmux } from './tmux.ts';

const CLI = join(root, 'apps/cli/bin/servelens.js');
const REQUESTS = 60;
/** Time to wait for the requests, in milliseconds. The machine may be busy. */
const WAIT_MS = 90_000;

let simulator: Service;
let folder: string;
let tmux: Tmux | undefined;

/** Waits until the requests of a run have been written. Returns their number, which is too small after the time limit. */
async function waitForRequests(run: string): Promise<number> {
  const path = join(run, 'profile_export.jsonl');
  const count = (): number => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0);
  for (const endMs = Date.now() + WAIT_MS; count() < REQUESTS && Date.now() < endMs; ) await sleep(100);
  return count();
}

describe.skipIf(process.env.SERVELENS_DEBIAN !== '1' || !hasTmux())('a terminal that was stopped', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stopped-'));
    simulator = await startService(
      process.execPath,
      port => [CLI, 'simulate', '--model', 'm', '--port', String(port)],
      '/health',
    );
  });
  afterEach(() => tmux?.close());
  afterAll(async () => {
    await simulator?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('does not stop the load, and shows the result when it continues', async () => {
    const terminal = new Tmux(100, 30);
    tmux = terminal;
    const run = join(folder, 'run');
    const load = `--model m --tokenizer builtin --url ${simulator.url} --streaming --osl 8 --request-rate 10`;
    terminal.type(
      `code=code; ${process.execPath} ${CLI} profile ${load} --request-count ${REQUESTS} --ui line --artifact-dir ${run}; echo exit $code $?`,
    );
    await terminal.waitFor(/profiling .* req\/s/);
    terminal.press('C-s');
    expect(await waitForRequests(run)).toBe(REQUESTS);
    terminal.press('C-q');
    expect(await terminal.waitFor(/exit code \d+/, 100)).toContain('exit code 0');
    expect(terminal.capture(100)).toContain('run/profile_export_aiperf.json');
  });
});
