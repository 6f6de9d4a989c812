import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { measureMemory } from '../../src/measure/memory.ts';

test('throws without --expose-gc', () => {
  expect(() => measureMemory()).toThrow('node was started without --expose-gc');
});

test('measures reachable objects and buffers', () => {
  setFlagsFromString('--expose-gc');
  Object.assign(globalThis, { gc: runInNewContext('gc') });
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, 'gc');
  });
  const before = measureMemory();
  let buffer: Uint8Array | undefined = new Uint8Array(20e6).fill(1);
  const during = measureMemory();
  expect(during.heldBytes - before.heldBytes).toBeGreaterThan(19e6);
  expect(during.peakRssMb).toBeGreaterThanOrEqual(before.peakRssMb);
  expect(buffer.length).toBe(20e6);
  buffer = undefined;
  expect(measureMemory().heldBytes - before.heldBytes).toBeLessThan(5e6);
});
