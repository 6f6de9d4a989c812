import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFrameBatches, readFrameLayout } from '../../src/store/frameFile.ts';
import { writeTrace } from '../../src/store/frameTrace.ts';

const folder = mkdtempSync(join(tmpdir(), 'frames-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('writes the frames and the layout of a trace', () => {
  const facts = writeTrace(folder, 1, 30);
  const layout = readFrameLayout(folder);
  expect(layout.slotCount).toBe(facts.slots);
  expect(layout.series).toHaveLength(facts.series);
  const offsetsNs: number[] = [];
  let values = 0;
  for (const batch of readFrameBatches(folder)) {
    for (const frame of batch) {
      offsetsNs.push(frame.offsetNs);
      values += frame.values.length;
    }
  }
  expect(offsetsNs).toHaveLength(facts.frames);
  expect(offsetsNs.slice(0, 3)).toEqual([0, 333e6, 666e6]);
  expect(values).toBeLessThanOrEqual(facts.frames * facts.slots);
  expect(facts.changedShare).toBeGreaterThan(0.3);
  expect(facts.changedShare).toBeLessThan(1);
});
