import { expect, test } from 'vitest';
import { createNullFiles, writeJournal } from '../../src/journal/journaling.ts';
import { recordTrace } from '../../src/journal/recording.ts';

test('journals all frames of a recording', async () => {
  const recording = recordTrace('sglang', 5, 1);
  expect(recording.frames).toHaveLength(16);
  expect(recording.samples).toBe(recording.frames.reduce((sum, { values }) => sum + values.length, 0));
  const all = await writeJournal('unused', recording, createNullFiles());
  const first = await writeJournal(
    'unused',
    { ...recording, frames: recording.frames.slice(0, 1) },
    createNullFiles(),
  );
  expect(first.bytes).toBeGreaterThan(1000);
  expect(all.bytes).toBeGreaterThan(first.bytes);
  expect(all.clock.wallS).toBeGreaterThan(0);
});
