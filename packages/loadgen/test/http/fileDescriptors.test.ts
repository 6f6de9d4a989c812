import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { expect, test } from 'vitest';
import { reserveDescriptors } from '../../src/http/fileDescriptors.ts';

const countOpenFiles = () => readdirSync('/proc/self/fd').length;
/** Size of the process's file descriptor table (proc(5)). */
const readTableSize = () => Number(/FDSize:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]);

test.skipIf(platform() !== 'linux')('enlarges the descriptor table without leaving files open', () => {
  const before = countOpenFiles();
  reserveDescriptors();
  expect(readTableSize()).toBeGreaterThanOrEqual(1024);
  expect(countOpenFiles()).toBe(before);
  reserveDescriptors();
  expect(countOpenFiles()).toBe(before);
});
