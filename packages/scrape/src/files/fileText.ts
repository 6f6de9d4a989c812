import { readFileSync, statSync } from 'node:fs';

/** By device and inode: what pipes pipeTexts. */
const pipeTexts = new Map<string, string>();

/**
 * The text of a file, in UTF-8. What is no file, such as `/dev/stdin` or the pipe of a shell's `<(...)`, can be read once; a
 * later call in the same process, by whatever name, gives what it pipeTexts then. A configuration is checked before it is used,
 * and a benchmark may read its options once for each of its runs.
 *
 * Throws the error of the file system.
 */
export function fileText(path: string): string {
  const found = statSync(path);
  if (found.isFile()) return readFileSync(path, 'utf8');
  const id = `${found.dev}:${found.ino}`;
  const known = pipeTexts.get(id);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8');
  pipeTexts.set(id, text);
  return text;
}
