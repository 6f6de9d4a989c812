import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SecretFile } from '../../src/credentials/secretFile.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-'));
  path = join(folder, 'secret');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

test.each([
  ['a line', 's3cret\n'],
  ['a line without a newline', 's3cret'],
  ['a Windows line after a byte order mark', '\uFEFFs3cret\r\n'],
  ['a line with surrounding blanks', '  s3cret \n\n'],
])('reads %s', (_, content) => {
  writeFileSync(path, content);
  expect(new SecretFile(path, 'password file').line).toBe('s3cret');
});

test('reports the problem that the check function finds, without quoting the content', () => {
  writeFileSync(path, 's3cret');
  const create = (): SecretFile => new SecretFile(path, 'password file', () => 'too short');
  expect(create).toThrow(`invalid password file ${JSON.stringify(path)}: too short`);
});

test('reads the file again only after a second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  writeFileSync(path, 'old');
  const file = new SecretFile(path, 'password file');
  writeFileSync(path, 'new');
  vi.advanceTimersByTime(999);
  await file.refresh();
  expect(file.line).toBe('old');
  vi.advanceTimersByTime(1);
  await file.refresh();
  expect(file.line).toBe('new');
});

test('reports whether reading again changed the secret', async () => {
  writeFileSync(path, 'old');
  const file = new SecretFile(path, 'password file');
  expect(await file.reread()).toBe(false);
  writeFileSync(path, 'new');
  expect(await file.reread()).toBe(true);
});

test.each([
  ['empty', ''],
  ['invalid', 'a\nb\n'],
])('keeps the secret while the file is %s', async (_, content) => {
  writeFileSync(path, 'old');
  const file = new SecretFile(path, 'password file');
  writeFileSync(path, content);
  expect(await file.reread()).toBe(false);
  expect(file.line).toBe('old');
});
