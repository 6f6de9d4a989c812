import { readFileSync, statSync } from 'node:fs';

/** The contents of pipes, by device and inode. */
const pipeTexts = new Map<string, string>();

/**
 * Returns the text of a file, in UTF-8. Pipes, such as `/dev/stdin` or a shell's `<(...)`, can be read only
 * once, so later calls return the first result: configurations are validated before they are used, and
 * benchmarks may read their options once per run.
 *
 * Throws the error of `node:fs`.
 */
export function readTextFile(path: string): string {
  const stats = statSync(path);
  if (stats.isFile()) return readFileSync(path, 'utf8');
  const id = `${stats.dev}:${stats.ino}`;
  const cached = pipeTexts.get(id);
  if (cached !== undefined) return cached;
  const text = readFileSync(path, 'utf8');
  pipeTexts.set(id, text);
  return text;
}
