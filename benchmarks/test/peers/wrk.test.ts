import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'wrk-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Measures with a shell script instead of wrk, or with a missing program if `script` is undefined. */
async function measureWith(script: string | undefined): Promise<number | undefined> {
  const program = join(folder, script === undefined ? 'missing' : 'wrk');
  if (script !== undefined) {
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
  }
  vi.resetModules();
  vi.stubEnv('SERVELENS_WRK', program);
  const { measureWrkRate } = await import('../../src/peers/wrk.ts');
  vi.unstubAllEnvs();
  return measureWrkRate('http://127.0.0.1:9/plain', '{"a":"b"}', 64, 1.6);
}

test.skipIf(process.platform === 'win32')(
  'passes the load to wrk, and returns the request rate that wrk prints',
  async () => {
    const log = join(folder, 'log');
    const rate = await measureWith(
      `echo "$@" > ${log}; cat "$5" >> ${log}; echo '  Latency 1ms'; echo 'Requests/sec:  12345.67'`,
    );
    expect(rate).toBe(12345.67);
    const text = readFileSync(log, 'utf8');
    expect(text).toMatch(/^-t1 -c64 -d2s -s \S+ http:\/\/127\.0\.0\.1:9\/plain\n/);
    expect(text).toContain('wrk.body = "{\\"a\\":\\"b\\"}"');
  },
);

test.skipIf(process.platform === 'win32')('throws if wrk fails or prints no rate', async () => {
  await expect(measureWith('exit 1')).rejects.toThrow('wrk failed:');
  await expect(measureWith('echo nothing')).rejects.toThrow('wrk failed:\nnothing');
});

test('returns undefined and prints a note if wrk is not installed', async () => {
  const note = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await measureWith(undefined)).toBeUndefined();
  expect(note.mock.calls.join('\n')).toContain('wrk not found');
  note.mockRestore();
});
