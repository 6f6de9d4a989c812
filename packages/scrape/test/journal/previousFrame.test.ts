import { expect, test } from 'vitest';
import { PreviousFrame } from '../../src/journal/previousFrame.ts';

test('stores a frame and marks the slots beyond it as absent', () => {
  const previous = new PreviousFrame();
  previous.store(5n, Float64Array.of(1, 2, 3));
  previous.store(6n, Float64Array.of(4));
  expect(previous).toMatchObject({ isKnown: true, timestampNs: 6n, length: 1 });
  expect([...previous.values.subarray(0, 3)]).toEqual([4, Number.NaN, Number.NaN]);
});

test('keeps its values when it is widened', () => {
  const previous = new PreviousFrame();
  previous.store(5n, Float64Array.of(1, 2));
  previous.widen(100);
  expect(previous.values.length).toBeGreaterThanOrEqual(100);
  expect([...previous.values.subarray(0, 3)]).toEqual([1, 2, Number.NaN]);
  expect(previous.length).toBe(2);
});

test('keeps only its capacity when it is reset', () => {
  const previous = new PreviousFrame();
  previous.store(5n, Float64Array.of(1, 2));
  const { values } = previous;
  previous.reset();
  expect(previous).toMatchObject({ isKnown: false, length: 0 });
  expect(previous.values).toBe(values);
  expect([...values].every(Number.isNaN)).toBe(true);
});
