import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileSource } from '../../src/sources/fileSource.ts';
import { SourceReader } from './sourceReader.ts';

const REFRESH_MS = 1000;

function createFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'file-source-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const group = (...targets: string[]): string => JSON.stringify([{ targets }]);

test('reads JSON and YAML, and follows changes, new files and removed files', async () => {
  const folder = createFolder({
    'a.json': group('h:1'),
    'b.yml': '- targets: ["h:2"]\n  labels: { job: x }\n',
  });
  const reader = new SourceReader(new FileSource(join(folder, '*'), REFRESH_MS));
  expect((await reader.next()).map(({ url, labels }) => [url, labels])).toEqual([
    ['http://h:1/metrics', undefined],
    ['http://h:2/metrics', { job: 'x' }],
  ]);
  writeFileSync(join(folder, 'new'), group('h:1', 'h:3'));
  renameSync(join(folder, 'new'), join(folder, 'a.json'));
  expect(await reader.nextUrls()).toEqual(['http://h:1/metrics', 'http://h:3/metrics', 'http://h:2/metrics']);
  rmSync(join(folder, 'b.yml'));
  expect(await reader.nextUrls()).toEqual(['http://h:1/metrics', 'http://h:3/metrics']);
  expect(await reader.end()).toBe(true);
});

test('reports an invalid file once, and keeps the last list until it is valid again', async () => {
  const folder = createFolder({ 'a.json': group('h:1') });
  const path = join(folder, 'a.json');
  const reader = new SourceReader(new FileSource(path, 50));
  expect(await reader.nextUrls()).toEqual(['http://h:1/metrics']);
  writeFileSync(path, '[{');
  const next = reader.nextUrls();
  expect(await reader.waitForProblem()).toBe('the file is not valid JSON; expected a list of target groups');
  writeFileSync(path, group('h:2'));
  expect(await next).toEqual(['http://h:2/metrics']);
  expect(reader.problems).toHaveLength(1);
});

test.each([
  ['none.json', /cannot read the file: no such file/],
  ['none/*.json', /cannot list the files ".*none\/\*.json": no such file.*check the folder/],
  ['bad.yml', /the file, line 1: /],
  ['text.json', /the file is not a list; expected groups/],
])('rejects %s at the start', async (path, message) => {
  const folder = createFolder({ 'bad.yml': '{', 'text.json': '"x"' });
  await expect(new SourceReader(new FileSource(join(folder, path), REFRESH_MS)).next()).rejects.toThrow(
    message,
  );
});

test('a pattern without files, and an empty YAML file, have no targets', async () => {
  const folder = createFolder({ 'empty.yml': '' });
  expect(await new SourceReader(new FileSource(join(folder, '*.json'), REFRESH_MS)).next()).toEqual([]);
  expect(await new SourceReader(new FileSource(join(folder, '*.yml'), REFRESH_MS)).next()).toEqual([]);
});
