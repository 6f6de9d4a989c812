import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const BIN = resolve(import.meta.dirname, '../bin/servelens.js');
const isBuilt = existsSync(resolve(import.meta.dirname, '../dist/bin.js'));
if (!isBuilt) console.log('skipped: a token out of a pipe, for which the package must be built first');

const folder = mkdtempSync(join(tmpdir(), 'pipe-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.skipIf(!isBuilt || process.platform === 'win32')('reads a token from a pipe', () => {
  const run =
    'echo t0ken | "$0" "$1" collect --bearer-token-file /dev/stdin --server-metrics localhost:1 -- echo ran';
  const env = { ...process.env, AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0' };
  const printed = execFileSync('sh', ['-c', run, process.execPath, BIN], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(printed).toContain('ran');
});
