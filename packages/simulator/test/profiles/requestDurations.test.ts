import { expect, test } from 'vitest';
import { createRequest } from '../../src/engine/request.ts';
import { getSeries, Registry } from '../../src/metrics/registry.ts';
import { declareDurations, observeDurations } from '../../src/profiles/requestDurations.ts';

const MS = 1e6;

/**
 * Observes a request that arrived at 100 ms, was scheduled at 120 ms, generated its first token, if any, at 150
 * ms, and ended at 190 ms. Returns the sums of the histograms of its phases, in ms.
 */
function observeRequest(generated: number, queuedNs: number) {
  const registry = new Registry({ getTimeS: () => 0, truth: undefined });
  const series = getSeries(
    declareDurations((name, help, bounds) => registry.histogram(name, help, bounds)),
    {},
  );
  const spec = { promptTokens: 1, outputTokens: generated, finishReason: 'stop' } as const;
  const request = createRequest(0, 0, spec, 100 * MS, undefined);
  Object.assign(request, { generated, scheduledNs: 120 * MS, finishNs: 190 * MS });
  if (generated > 0) request.firstTokenNs = 150 * MS;
  const decodeNs = observeDurations(request, series, queuedNs);
  const sums = Object.entries(series).map(([phase, { sum }]) => [phase, Math.round(1000 * sum)]);
  return { decodeMs: decodeNs / MS, sums: Object.fromEntries(sums) };
}

test('observes the phases of a request', () => {
  expect(observeRequest(5, 110 * MS)).toEqual({
    decodeMs: 40,
    sums: { e2e: 90, queue: 10, inference: 70, prefill: 30, decode: 40 },
  });
});

test('the queue phase starts at the given time', () => {
  expect(observeRequest(5, 100 * MS).sums.queue).toBe(20);
});

test('a request without tokens has no decode phase', () => {
  expect(observeRequest(0, 100 * MS)).toMatchObject({ decodeMs: 0, sums: { prefill: 70, decode: 0 } });
});
