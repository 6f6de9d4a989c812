import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the young generation of the heap at its initial size of 1 MB. By default, it grows to 16 MB and takes
 * up to three times as much memory, which scraping does not need. Must be called before large modules are
 * loaded, because the young generation does not shrink.
 *
 * Sets the V8 flag at run time, because it has no effect as a command-line option of Node 20. Does nothing if
 * V8 does not support the flag.
 */
export function limitYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
