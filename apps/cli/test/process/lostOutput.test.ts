import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/servelens.js', import.meta.url));
/** Where no byte can be written, as on a disk that is full. */
const FULL = '/dev/full';

const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/plain');
  response.end('# TYPE a gauge\na 1\n');
});
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outputs-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** Runs the command with files for its output; gives its exit code. */
async function run(args: readonly string[], stdout: string, stderr: string): Promise<number | null> {
  const files = [stdout, stderr].map(path => openSync(path, 'a'));
  const env = { ...process.env, AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0' };
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', ...files], env });
  for (const file of files) closeSync(file);
  const [code] = await once(child, 'exit');
  return code;
}

describe.skipIf(!existsSync(FULL))('output on a full disk (requires /dev/full)', () => {
  test.each([
    ['stdout', true, false],
    ['stderr', false, true],
    ['both', true, true],
  ])('does not prevent the exports of a run if %s is lost', async (name, isOutFull, isErrFull) => {
    const [out, err] = [join(folder, `${name}.out`), join(folder, `${name}.err`)];
    const { port } = server.address() as AddressInfo;
    const artifacts = join(folder, name);
    const args = ['--server-metrics', `127.0.0.1:${port}`, '--duration', '0.5', '--artifact-dir', artifacts];
    expect(await run(['collect', ...args], isOutFull ? FULL : out, isErrFull ? FULL : err)).toBe(0);
    expect(readdirSync(artifacts).sort()).toEqual(
      ['csv', 'json', 'parquet'].map(format => `server_metrics_export.${format}`),
    );
    if (!isOutFull) expect(readFileSync(out, 'utf8')).toContain('Server metrics');
    if (!isErrFull)
      expect(readFileSync(err, 'utf8').match(/cannot write to stdout: ENOSPC/g)).toHaveLength(1);
  });

  test('is a failure of a command whose result is its output', async () => {
    const err = join(folder, 'version.err');
    expect(await run(['--version'], FULL, err)).toBe(1);
    expect(readFileSync(err, 'utf8')).toMatch(/^servelens: cannot write to stdout: ENOSPC.*\n$/);
  });
});
