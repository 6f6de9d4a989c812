import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  fitsSocketPath,
  formatSocketName,
  listSockets,
  listTemporaryFolders,
  POINTER_NAME,
  readPointer,
} from '../../src/marks/socketPath.ts';
import { createFolder } from '../plans.ts';

test.each([
  [1, 'servelens.sock'],
  [2, 'servelens-2.sock'],
])('names socket %d %s', (n, name) => {
  expect(formatSocketName(n)).toBe(name);
});

test.each([
  ['a short path', '/tmp/servelens.sock', true],
  ['103 bytes', 'x'.repeat(103), true],
  ['108 bytes', 'x'.repeat(108), false],
  ['60 characters of 2 bytes', 'é'.repeat(60), false],
])('reports whether %s fits a socket address', (_, path, fits) => {
  expect(fitsSocketPath(path)).toBe(fits);
});

test('lists temporary folders in which a socket path is short enough', () => {
  const folders = listTemporaryFolders();
  expect(new Set(folders).size).toBe(folders.length);
  for (const folder of folders)
    expect(fitsSocketPath(join(folder, 'servelens-XXXXXX/servelens.sock'))).toBe(true);
});

test('lists the sockets in a folder and the socket that its pointer names', () => {
  const folder = createFolder();
  for (const name of ['servelens.sock', 'servelens-2.sock', 'servelens-x.sock', 'other.sock'])
    writeFileSync(join(folder, name), '');
  const inside = [join(folder, 'servelens-2.sock'), join(folder, 'servelens.sock')];
  expect(listSockets(folder)).toEqual(inside);
  writeFileSync(join(folder, POINTER_NAME), '/tmp/servelens-aB3xYz/servelens.sock\n');
  expect(listSockets(folder)).toEqual([...inside, '/tmp/servelens-aB3xYz/servelens.sock']);
});

test('ignores a missing or empty pointer, and throws if the folder does not exist', () => {
  const folder = createFolder();
  expect(readPointer(folder)).toBeUndefined();
  writeFileSync(join(folder, POINTER_NAME), '\n');
  expect(readPointer(folder)).toBeUndefined();
  expect(() => listSockets(join(folder, 'missing'))).toThrow('ENOENT');
});
