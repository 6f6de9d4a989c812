import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DurationSketch, ScrapeCost } from '../../src/endpoint/scrapeCost.ts';

test('has no quantiles without durations', () => {
  expect(new DurationSketch().computeQuantile(0.5)).toBeUndefined();
});

test('estimates quantiles within 1%', () => {
  const duration = fc.double({ min: 0.001, max: 600_000, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(duration, { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.99, 1),
      (sampleMs, quantile) => {
        const durations = new DurationSketch();
        for (const duration of sampleMs) durations.add(duration);
        const exact = sampleMs.toSorted((a, b) => a - b)[Math.ceil(quantile * sampleMs.length) - 1]!;
        expect(Math.abs(durations.computeQuantile(quantile)! - exact)).toBeLessThanOrEqual(exact * 0.0101);
      },
    ),
  );
});

test('counts durations outside its range, and clamps their quantiles', () => {
  const durations = new DurationSketch();
  for (const duration of [0, 1e9]) durations.add(duration);
  expect(durations.count).toBe(2);
  expect(durations.computeQuantile(0.5)).toBeLessThan(0.002);
  expect(durations.computeQuantile(1)).toBeGreaterThan(500_000);
});

test('adds the sizes of successful scrapes and the durations of all scrapes', () => {
  const cost = new ScrapeCost();
  const exchange = { url: 'u', sentNs: 0n };
  cost.add({ ...exchange, durationMs: 5, encodedBytes: 10, body: new Uint8Array(30) });
  cost.add({ ...exchange, durationMs: 8000, encodedBytes: 4 });
  expect(cost).toMatchObject({ scrapes: 1, encodedBytes: 10, decodedBytes: 30 });
  expect(cost.durations.count).toBe(2);
  expect(Math.abs(cost.durations.computeQuantile(1)! - 8000)).toBeLessThan(81);
});
