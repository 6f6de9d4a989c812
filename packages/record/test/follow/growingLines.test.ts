import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GrowingLines } from '../../src/follow/growingLines.ts';

function createPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'requests.jsonl');
}

/** Reads the appended lines as text, and whether the file was read from its start again. */
async function read(lines: GrowingLines): Promise<readonly [text: string, isRestarted: boolean]> {
  const { bytes, isRestarted } = await lines.read();
  return [Buffer.from(bytes).toString(), isRestarted];
}

test('returns each line once, as soon as it is complete', async () => {
  const path = createPath();
  const lines = new GrowingLines(path);
  expect(await read(lines)).toEqual(['', false]);
  writeFileSync(path, 'one\ntw');
  expect(await read(lines)).toEqual(['one\n', false]);
  expect(await read(lines)).toEqual(['', false]);
  appendFileSync(path, 'o\nthree\n');
  expect(await read(lines)).toEqual(['two\nthree\n', false]);
  expect(await read(lines)).toEqual(['', false]);
});

test('does not cut a character that is written in two parts', async () => {
  const path = createPath();
  const lines = new GrowingLines(path);
  const bytes = Buffer.from('naïve\n');
  writeFileSync(path, bytes.subarray(0, 3));
  expect(await read(lines)).toEqual(['', false]);
  appendFileSync(path, bytes.subarray(3));
  expect(await read(lines)).toEqual(['naïve\n', false]);
});

test('returns lines that are longer than what is read at a time', async () => {
  const path = createPath();
  const line = `${'x'.repeat(3 * 2 ** 20)}\n`;
  writeFileSync(path, line);
  expect((await read(new GrowingLines(path)))[0] === line).toBe(true);
});

test.each([
  ['was replaced', (path: string) => rmSync(path)],
  ['is shorter than before', (path: string) => truncateSync(path, 0)],
])('starts again if the file %s', async (_, change) => {
  const path = createPath();
  const lines = new GrowingLines(path);
  writeFileSync(path, 'old line\n');
  await lines.read();
  change(path);
  writeFileSync(path, 'new\n');
  expect(await read(lines)).toEqual(['new\n', true]);
});
