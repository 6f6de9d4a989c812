import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN } from './support/servelens.ts';
import { makeTestFolder } from './support/temporaryFolder.ts';

// Node 20 resolves imports incorrectly after it has looked up a pipe; see `prepareLateImport` in @org/run.
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

/** Runs the built program and returns the URLs of the modules that it loaded, one per line. */
function listLoadedModules(...args: readonly string[]): string {
  const coverage = makeTestFolder();
  execFileSync(process.execPath, [BIN, ...args], { env: { ...process.env, NODE_V8_COVERAGE: coverage } });
  return readdirSync(coverage)
    .flatMap(file => readFileSync(join(coverage, file), 'utf8').match(/"url":"file:[^"]*"/g) ?? [])
    .join('\n');
}

test('--help loads neither yargs nor a command', () => {
  const loaded = listLoadedModules('--help');
  expect(loaded).toContain('cli/dist/main.js');
  expect(loaded).not.toMatch(/yargs|dist\/commands|packages\/(?!terminal)/);
});

test('collect --help loads neither the load generator nor the analysis', () => {
  const loaded = listLoadedModules('collect', '--help');
  expect(loaded).toContain('cli/dist/commands/collect.js');
  expect(loaded).not.toMatch(/packages\/(loadgen|analysis)|yargs/);
});

test.skipIf(process.platform === 'win32')(
  'a limit of open files that is too low is named, without a stack trace',
  () => {
    const script = 'ulimit -n 40; exec "$0" "$1" profile --help';
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, BIN], { encoding: 'utf8' });
    expect(stderr).toBe(
      'servelens: cannot load the program: the limit of open files is 40, expected at least 256; raise it with ulimit -n 1024\n',
    );
    expect(status).toBe(1);
  },
);
