import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { expect, test } from 'vitest';
import { reserveDescriptors } from '../../src/http/fileDescriptors.ts';

const opened = () => readdirSync('/proc/self/fd').length;
/** Places in the process's table of open files (proc(5)). */
const places = () => Number(/FDSize:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]);

test.skipIf(platform() !== 'linux')(
  'makes room for a thousand connections at least, and leaves nothing open',
  () => {
    const before = opened();
    reserveDescriptors();
    expect(places()).toBeGreaterThanOrEqual(1024);
    expect(opened()).toBe(before);
    reserveDescriptors();
    expect(opened()).toBe(before);
  },
);
