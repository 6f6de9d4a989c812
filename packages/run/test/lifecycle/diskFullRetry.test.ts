import { expect, test } from 'vitest';
import { diskFullRetryPolicy } from '../../src/lifecycle/diskFullRetry.ts';
import type { Log } from '../../src/lifecycle/log.ts';

function patienceWith(missedFrames: number, interrupted: AbortSignal, warnings: string[] = []) {
  const log = { warning: (text: string) => void warnings.push(text) } as Log;
  return diskFullRetryPolicy({ journal: { missedFrames }, log, interrupted }, 30);
}

test('scrapes that are in memory only are worth waiting for, until somebody waits for the end', () => {
  const controller = new AbortController();
  expect(patienceWith(0, controller.signal).shouldRetry()).toBe(false);
  expect(patienceWith(4, controller.signal).shouldRetry()).toBe(true);
  controller.abort();
  expect(patienceWith(4, controller.signal).shouldRetry()).toBe(false);
});

test('how many they are is said, and for how long it goes on', () => {
  const warnings: string[] = [];
  patienceWith(4, new AbortController().signal, warnings).onRetry();
  expect(warnings).toEqual([
    'the disk is full, and 4 scrape(s) are in memory only: free some space; the exports are tried again for 30 s',
  ]);
});

test('a pause ends early when somebody waits for the end, and is the last one then', async () => {
  const controller = new AbortController();
  const { pause } = patienceWith(4, controller.signal);
  expect(await pause(0.001)).toBe(true);
  const long = pause(3600);
  controller.abort();
  expect(await long).toBe(false);
});
