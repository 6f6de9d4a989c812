import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type ByteSource, openBytes, openFile } from '../../src/journal/byteSource.ts';

const folder = mkdtempSync(join(tmpdir(), 'servelens-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CONTENT = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
const path = join(folder, 'content');
writeFileSync(path, CONTENT);

/** Reads pieces of the given sizes until the source ends, and closes it. */
function readPieces(source: ByteSource, sizes: readonly number[]): Buffer {
  const pieces: Buffer[] = [];
  for (const size of sizes) {
    const piece = source.peek(size).subarray(0, size);
    pieces.push(Buffer.from(piece));
    source.advance(piece.length);
  }
  source.close();
  return Buffer.concat(pieces);
}

test('a file and a byte array return the same content for any sizes of reads', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 150_000 }), { maxLength: 8 }), sizes => {
      const total = Math.min(
        CONTENT.length,
        sizes.reduce((sum, size) => sum + size, 0),
      );
      for (const source of [openFile(path), openBytes(CONTENT)]) {
        expect(source.size).toBe(CONTENT.length);
        expect(Buffer.compare(readPieces(source, sizes), CONTENT.subarray(0, total))).toBe(0);
      }
    }),
    { numRuns: 50 },
  );
});

test('peeking does not advance', () => {
  const source = openFile(path);
  expect(source.peek(10)[0]).toBe(0);
  source.advance(3);
  expect(source.peek(10)[0]).toBe(3);
  expect(source.peek(200_000).length).toBeGreaterThanOrEqual(200_000);
  expect(source.peek(1)[0]).toBe(3);
  source.close();
});

test('returns fewer bytes at the end', () => {
  const source = openFile(path);
  source.peek(CONTENT.length);
  source.advance(CONTENT.length - 2);
  expect([...source.peek(100)]).toEqual([...CONTENT.subarray(-2)]);
  source.close();
});

test('throws the error of the file system for a missing file', () => {
  expect(() => openFile(join(folder, 'none'))).toThrow('ENOENT');
});

test.skipIf(process.platform === 'win32').each([
  ['a named pipe', () => join(folder, 'pipe')],
  ['a device', () => '/dev/zero'],
  ['a folder', () => folder],
])('%s is rejected without reading it', (_, getPath) => {
  const special = getPath();
  if (special.endsWith('pipe')) execFileSync('mkfifo', [special]);
  expect(() => openFile(special)).toThrow(`cannot read the journal ${special}: not a regular file`);
});
