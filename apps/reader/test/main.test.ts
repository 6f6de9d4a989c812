import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { readerMain } from '../src/main.ts';

const folder = mkdtempSync(join(tmpdir(), 'reader-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const sink = (to: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk, _, done) {
        written[to] += String(chunk);
        done();
      },
    });
  const code = await readerMain(args, { stdout: sink('out'), stderr: sink('err'), env: {} });
  return { code, ...written };
}

const CSV =
  'Endpoint,Type,Metric,Unit,total,rate,rate_avg,rate_min,rate_max,rate_std,Description\nlocalhost:1,counter,vllm:generation_tokens,tokens,120,4,,,,,Tokens\n';

test('a file, and the folder that it is in', async () => {
  writeFileSync(join(folder, 'server_metrics_export.csv'), CSV);
  for (const name of [folder, join(folder, 'server_metrics_export.csv')]) {
    const { code, out } = await run('summary', name);
    expect(code).toBe(0);
    expect(out).toMatch(/generation_tokens\s+120\s+4/);
  }
});

test.each([
  [['summary', '/no/such'], /cannot read "\/no\/such": there is no such file or folder/],
  [['summary', tmpdir()], /has no server metrics; expected server_metrics_export\.json or \.csv in it/],
  [['summary'], /see --help/],
  [['sumary', 'x'], /Did you mean summary|Unknown/],
  [[], /name a command/],
])('%j is answered in words and with 2', async (args, message) => {
  const { code, err } = await run(...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
});

test('a broken file is told in words', async () => {
  const file = join(folder, 'broken.json');
  writeFileSync(file, '{"schema_version": "1.0", ');
  const { code, err } = await run('summary', file);
  expect(code).toBe(2);
  expect(err).toMatch(/^servelens-reader: /);
});

test.each<[string, Buffer, RegExp]>([
  [
    'a.parquet',
    Buffer.from('PAR1\0\0PAR1'),
    /a\.parquet" is a Parquet file; name the JSON or CSV of the run\n$/,
  ],
  ['b.bin', Buffer.from([0xff, 0xfe, 0, 1]), /cannot read ".*b\.bin": it is neither JSON nor CSV\n$/],
  ['c.json', Buffer.of(), /^servelens-reader: /],
  ['d.jsonl', Buffer.from('{"a": 1}\n{"a": 2}\n'), /^servelens-reader: /],
])('%s is answered in words', async (name, bytes, message) => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const { code, err } = await run('summary', file);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
  expect(code).toBe(2);
});
