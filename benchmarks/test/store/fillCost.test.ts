import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillSink, type Sink, StoreSink } from '../../src/store/fillCost.ts';
import { readFrameBatches } from '../../src/store/frameFile.ts';
import { writeTrace } from '../../src/store/frameTrace.ts';

const ENDPOINTS = 3;

const folder = mkdtempSync(join(tmpdir(), 'fill-'));
let frames = 0;
let values = 0;
beforeAll(() => {
  setFlagsFromString('--expose-gc');
  Object.assign(globalThis, { gc: runInNewContext('gc') });
  frames = writeTrace(folder, 1, 10).frames;
  for (const batch of readFrameBatches(folder)) for (const frame of batch) values += frame.values.length;
});
afterAll(() => rmSync(folder, { recursive: true }));

test('appends each frame to all endpoints before the next frame, and counts the samples', () => {
  const calls: [endpoint: number, offsetNs: number][] = [];
  const sink: Sink = { append: (endpoint, { offsetNs }) => void calls.push([endpoint, offsetNs]) };
  const cost = fillSink(folder, ENDPOINTS, sink);
  expect(calls).toHaveLength(frames * ENDPOINTS);
  expect(calls.slice(0, 4)).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [0, 333e6],
  ]);
  expect(cost.samples).toBe(values * ENDPOINTS);
  expect(cost.appendWallS).toBeGreaterThan(0);
});

test('StoreSink stores all frames of each endpoint, with different timestamps', () => {
  const sink = new StoreSink(folder, ENDPOINTS);
  fillSink(folder, ENDPOINTS, sink);
  expect(sink.stores.map(({ frameCount }) => frameCount)).toEqual([frames, frames, frames]);
  expect(new Set(sink.stores.map(store => store.timeline().originNs)).size).toBe(ENDPOINTS);
});

test('measures the memory of the sink', () => {
  const buffers: Uint8Array[] = [];
  const cost = fillSink(folder, ENDPOINTS, { append: () => void buffers.push(new Uint8Array(100_000)) });
  const expected = 100_000 * frames * ENDPOINTS;
  expect(buffers).toHaveLength(frames * ENDPOINTS);
  expect(cost.heldBytes).toBeGreaterThan(0.8 * expected);
  expect(cost.heldBytes).toBeLessThan(1.5 * expected);
});
