import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createBearerFileAuthorization } from '../src/credentials/authorization.ts';
import { readTextFile } from '../src/textFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'filetext-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('reads a file at every call', () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'one');
  expect(readTextFile(file)).toBe('one');
  writeFileSync(file, 'two');
  expect(readTextFile(file)).toBe('two');
});

test.each([
  ['none', /ENOENT/],
  ['.', /EISDIR/],
])('throws the error of the file system for %s', (name, code) => {
  expect(() => readTextFile(join(folder, name))).toThrow(code);
});

test.skipIf(process.platform === 'win32')('reads a pipe only once, even under other names', async () => {
  const pipe = join(folder, 'pipe');
  const [linked, symbolic] = [join(folder, 'linked'), join(folder, 'symbolic')];
  execFileSync('mkfifo', [pipe]);
  linkSync(pipe, linked);
  symlinkSync(pipe, symbolic);
  // Reading blocks this process, so another process has to write.
  const writer = spawn('sh', ['-c', 'echo t0ken > "$0"', pipe], { stdio: 'ignore' });
  const written = once(writer, 'exit');
  expect([pipe, pipe, linked, symbolic].map(readTextFile)).toEqual(Array(4).fill('t0ken\n'));
  expect(await createBearerFileAuthorization(pipe).readHeader()).toBe('Bearer t0ken');
  expect(await written).toEqual([0, null]);
});

test('rejects a file without an end', () => {
  expect(() => readTextFile('/dev/zero')).toThrow('larger than 16 MiB');
});
