import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Maximum size of a file, so that a device such as `/dev/zero` cannot exhaust the memory. */
const MAX_BYTES = 16 << 20;
const PART_BYTES = 1 << 16;

/** The contents of pipes read so far, by device and inode. */
const pipeTexts = new Map<string, string>();

/**
 * Returns the content of a UTF-8 file. Pipes, such as `/dev/stdin` or a shell's `<(...)`, can be read only
 * once, so their content is cached: a configuration is validated before it is used, and a benchmark may read
 * its options again for each run.
 *
 * Throws the system error of `node:fs` if the file cannot be read, and an error if it is larger than 16 MiB.
 */
export function readTextFile(path: string): string {
  const stats = statSync(path);
  if (stats.isFile()) return readBounded(path);
  const id = `${stats.dev}:${stats.ino}`;
  const cached = pipeTexts.get(id);
  if (cached !== undefined) return cached;
  const text = readBounded(path);
  pipeTexts.set(id, text);
  return text;
}

function readBounded(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const parts: Buffer[] = [];
    for (let bytes = 0; bytes <= MAX_BYTES; ) {
      const part = Buffer.allocUnsafe(PART_BYTES);
      const length = readSync(descriptor, part);
      if (length === 0) return Buffer.concat(parts).toString('utf8');
      parts.push(part.subarray(0, length));
      bytes += length;
    }
    throw new Error('larger than 16 MiB');
  } finally {
    closeSync(descriptor);
  }
}
