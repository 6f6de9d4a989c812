import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BlockFile } from '../../src/journal/blockFile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'servelens-blocks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('returns written blocks and leaves no file behind', () => {
  const file = new BlockFile(join(folder, 'blocks'));
  const blocks = Array.from({ length: 50 }, (_, index) => new Uint8Array(1000 + index).fill(index));
  const offsets = blocks.map(block => file.write(block)!);
  blocks.forEach((block, index) => {
    expect(file.read(offsets[index]!, block.length)).toEqual(block);
    expect(file.read(offsets[index]! + 10, 5)).toEqual(block.subarray(10, 15));
  });
  expect(file.byteLength).toBe(blocks.reduce((sum, block) => sum + block.length, 0));
  if (process.platform !== 'win32') expect(readdirSync(folder)).toEqual([]);
  file.close();
  expect(readdirSync(folder)).toEqual([]);
});

it('creates no file before the first block', () => {
  new BlockFile(join(folder, 'blocks')).close();
  expect(readdirSync(folder)).toEqual([]);
});

it('returns null while writing fails, reports the failure once, and retries later', () => {
  const stateChanges: string[] = [];
  let nowMs = 0;
  const missing = join(folder, 'missing');
  const file = new BlockFile(join(missing, 'blocks'), {
    onStateChange: ({ state, message }) => stateChanges.push(`${state}: ${message}`),
    clock: { monotonicMs: () => nowMs },
  });
  expect(file.write(Uint8Array.of(1))).toBeNull();
  expect(file.write(Uint8Array.of(1))).toBeNull();
  expect(stateChanges).toHaveLength(1);
  expect(stateChanges[0]).toBe(
    `failing: cannot write older samples to ${join(missing, 'blocks')}: no such file or folder; keeping them in memory, beyond --memory-limit`,
  );
  mkdirSync(missing);
  expect(file.write(Uint8Array.of(1))).toBeNull();
  nowMs = 2000;
  expect(file.write(Uint8Array.of(7))).toBe(0);
  expect(file.read(0, 1)).toEqual(Uint8Array.of(7));
  expect(stateChanges[1]).toBe('resumed: resumed writing older samples to disk');
  file.close();
});

it('does not overwrite an existing file', () => {
  const path = join(folder, 'blocks');
  writeFileSync(path, 'other content');
  const file = new BlockFile(path);
  expect(file.write(Uint8Array.of(1))).toBeNull();
  file.close();
  expect(existsSync(path)).toBe(true);
});

it('throws if the file is too short', () => {
  const file = new BlockFile(join(folder, 'blocks'));
  file.write(Uint8Array.of(1, 2));
  expect(() => file.read(1, 5)).toThrow(/the file ends at byte 2/);
  file.close();
});
