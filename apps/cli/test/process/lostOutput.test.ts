import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

/** A device on which every write fails with ENOSPC, as on a full disk. */
const FULL_DEVICE = '/dev/full';

const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/plain');
  response.end('# TYPE a gauge\na 1\n');
});
const folder = makeSuiteFolder();
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Runs the program with its output redirected to files. Returns its exit code. */
async function run(args: readonly string[], stdout: string, stderr: string): Promise<number | null> {
  const files = [stdout, stderr].map(path => openSync(path, 'a'));
  const env = { ...process.env, AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0' };
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', ...files], env });
  for (const file of files) closeSync(file);
  const [code] = await once(child, 'exit');
  return code;
}

describe.skipIf(!existsSync(FULL_DEVICE))('output on a full disk (requires /dev/full)', () => {
  test.each([
    ['stdout', true, false],
    ['stderr', false, true],
    ['stdout and stderr', true, true],
  ])('does not prevent the exports of a run: %s', async (name, isOutFull, isErrFull) => {
    const [out, err] = [join(folder, `${name}.out`), join(folder, `${name}.err`)];
    const { port } = server.address() as AddressInfo;
    const artifacts = join(folder, name);
    const args = ['--server-metrics', `127.0.0.1:${port}`, '--duration', '0.5', '--artifact-dir', artifacts];
    expect(
      await run(['collect', ...args], isOutFull ? FULL_DEVICE : out, isErrFull ? FULL_DEVICE : err),
    ).toBe(0);
    expect(readdirSync(artifacts).sort()).toEqual(
      ['csv', 'json', 'parquet'].map(format => `server_metrics_export.${format}`),
    );
    if (!isOutFull) expect(readFileSync(out, 'utf8')).toContain('Server metrics');
    if (!isErrFull)
      expect(readFileSync(err, 'utf8').match(/cannot write to stdout: ENOSPC/g)).toHaveLength(1);
  });

  test('makes other commands fail', async () => {
    const err = join(folder, 'version.err');
    expect(await run(['--version'], FULL_DEVICE, err)).toBe(1);
    expect(readFileSync(err, 'utf8')).toMatch(/^servelens: cannot write to stdout: ENOSPC.*\n$/);
  });
});
