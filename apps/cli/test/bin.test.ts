import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { BIN } from './support/servelens.ts';
import { makeTestFolder } from './support/temporaryFolder.ts';

// Node 20 resolves imports incorrectly after it has looked up a pipe; see `beforeLateImport` in @org/run.
test.skipIf(process.platform === 'win32')('loads commands after it has read a token from a pipe', () => {
  const script =
    'echo t0ken | "$0" "$1" collect --bearer-token-file /dev/stdin --server-metrics localhost:1 -- echo done';
  const out = execFileSync('sh', ['-c', script, process.execPath, BIN], {
    cwd: makeTestFolder(),
    env: { ...process.env, AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0' },
    encoding: 'utf8',
  });
  expect(out).toContain('done');
});
