import { expect, test } from 'vitest';
import type { Scrape } from '../../src/endpoint/scrape.ts';
import { StallDetector } from '../../src/endpoint/stallDetector.ts';

test.each([
  ['is not a stall before the minimum duration', [], 2000, false],
  ['is a stall after the minimum duration', [], 2001, true],
  ['is not a stall if earlier scrapes were nearly as long', [100, 900], 2700, false],
  ['is a stall if it is much longer than all earlier scrapes', [900, 100], 2701, true],
])('a scrape %s', (_, durationsMs, elapsedMs, expected) => {
  const detector = new StallDetector();
  for (const durationMs of durationsMs) detector.recordSuccess(durationMs);
  expect(detector.isStall(elapsedMs)).toBe(expected);
});

test.each([
  ['a stopped scrape that has waited for a response', 'stopped', undefined, 2500, 'timeout'],
  ['a stopped scrape that has not waited for long', 'stopped', undefined, 1500, 'stopped'],
  ['a stopped scrape with the start of a response', 'stopped', 5n, 2500, 'stopped'],
  ['a scrape that failed for another reason', 'refused', undefined, 2500, 'refused'],
] as const)('%s has the expected reason', (_, reason, firstByteNs, durationMs, expected) => {
  const scrape = {
    fetched: { durationMs, firstByteNs },
    failure: { reason, message: 'was stopped' },
  } as unknown as Scrape;
  expect(new StallDetector().failIfStalled(scrape).failure?.reason).toBe(expected);
});
