import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lists the files in a folder and its subfolders, as sorted relative paths. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

export function readJson<T = Readonly<Record<string, unknown>>>(...path: readonly string[]): T {
  return JSON.parse(readFileSync(join(...path), 'utf8')) as T;
}

/** Reads a file with a JSON document per line. */
export function readLines<T = Readonly<Record<string, unknown>>>(...path: readonly string[]): T[] {
  const text = readFileSync(join(...path), 'utf8').trimEnd();
  return text === '' ? [] : text.split('\n').map(line => JSON.parse(line) as T);
}
