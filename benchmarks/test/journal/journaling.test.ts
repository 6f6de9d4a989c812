import { expect, test } from 'vitest';
import { createNullFiles, writeJournal } from '../../src/journal/journaling.ts';
import { recordTrace } from '../../src/journal/recording.ts';

test('journals all frames of a recording', async () => {
  const recording = recordTrace('sglang', 5, 1);
  // 5 s at one scrape every 333 ms, including the scrape at 0 s.
  expect(recording.frames).toHaveLength(16);
  expect(recording.samples).toBe(recording.frames.reduce((sum, { values }) => sum + values.length, 0));
  const complete = await writeJournal('unused', recording, createNullFiles());
  const firstFrame = await writeJournal(
    'unused',
    { ...recording, frames: recording.frames.slice(0, 1) },
    createNullFiles(),
  );
  expect(firstFrame.bytes).toBeGreaterThan(1000);
  expect(complete.bytes).toBeGreaterThan(firstFrame.bytes);
  expect(complete.clock.wallS).toBeGreaterThan(0);
});
