import { readFileSync, statSync } from 'node:fs';

/** The contents of pipes read so far, by device and inode. */
const pipeTexts = new Map<string, string>();

/**
 * Returns the content of a UTF-8 file. Pipes, such as `/dev/stdin` or a shell's `<(...)`, can be read only
 * once, so their content is cached: a configuration is validated before it is used, and a benchmark may read
 * its options again for each run.
 *
 * Throws the system error of `node:fs` if the file cannot be read.
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
