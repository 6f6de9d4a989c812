import { type Family, Layout } from '@org/core';
import { expect, test } from 'vitest';
import { ResetDetector } from '../../src/endpoint/resetDetector.ts';

const createFamily = (name: string, type: Family['type']): Family => ({ name, type, help: '' });

/** Creates a detector for a counter a, a gauge g, a histogram h, and the process start time. */
function createDetector() {
  const layout = new Layout();
  const a = layout.scalar(createFamily('a', 'counter'), []).value;
  const g = layout.scalar(createFamily('g', 'gauge'), []).value;
  const h = layout.histogram(createFamily('h', 'histogram'), []).count;
  const start = layout.scalar(createFamily('process_start_time_seconds', 'gauge'), []).value;
  const detector = new ResetDetector(layout);
  const observe = (values: { a?: number; g?: number; h?: number; start?: number }) => {
    const frame = new Float64Array(layout.slotCount).fill(Number.NaN);
    const slots = { a, g, h, start };
    for (const [name, value] of Object.entries(values)) frame[slots[name as keyof typeof slots]] = value;
    const reset = detector.observe(frame);
    return reset?.hasRestarted ? `${reset.counters} and restarted` : reset?.counters;
  };
  return { layout, detector, observe };
}

test('counts decreasing counters and histograms, but not gauges', () => {
  const { observe } = createDetector();
  expect(observe({ a: 5, g: 5, h: 5 })).toBeUndefined();
  expect(observe({ a: 6, g: 1, h: 5 })).toBeUndefined();
  expect(observe({ a: 1, g: 1, h: 0 })).toBe(2);
  expect(observe({ a: 1, g: 1, h: 0 })).toBeUndefined();
  expect(observe({ a: 0, h: 1 })).toBe(1);
});

test('compares a counter that was absent with its last value', () => {
  const { observe } = createDetector();
  observe({ a: 5 });
  expect(observe({})).toBeUndefined();
  expect(observe({ a: 4 })).toBe(1);
});

test('does not report counters that reappear after a restart as further resets', () => {
  const { observe } = createDetector();
  observe({ a: 5, h: 5 });
  expect(observe({ a: 0 })).toBe(1);
  expect(observe({ a: 0, h: 1 })).toBeUndefined();
});

test('reports a new process start time even if no counter decreased', () => {
  const { observe } = createDetector();
  observe({ a: 0, start: 1000 });
  // Differences of up to one second are rounding errors.
  expect(observe({ a: 0, start: 1000.5 })).toBeUndefined();
  expect(observe({ a: 3, start: 2000 })).toBe('0 and restarted');
  expect(observe({ a: 1, start: 3000 })).toBe('1 and restarted');
});

test('detects a reset of a series that appears later', () => {
  const { layout, detector, observe } = createDetector();
  observe({ a: 1 });
  const late = layout.scalar(createFamily('late', 'counter'), []).value;
  const createFrame = (value: number): Float64Array => {
    const values = new Float64Array(layout.slotCount).fill(Number.NaN);
    values[late] = value;
    return values;
  };
  expect(detector.observe(createFrame(9))).toBeUndefined();
  expect(detector.observe(createFrame(8))).toEqual({ counters: 1, hasRestarted: false });
});
