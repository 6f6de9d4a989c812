import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LoadCurves } from '../../src/metrics/loadCurves.ts';
import type { RequestInterval } from '../../src/metrics/requestIntervals.ts';
import { computeTimeBlocks, type TimeRange } from '../../src/metrics/timeMetrics.ts';

/** The values of all curves at one time, added up request by request. */
interface Load {
  concurrency: number;
  decodeUsers: number;
  prefillUsers: number;
  decodeRate: number;
  prefillRate: number;
  totalRate: number;
  tokens: number;
}

/** Each metric, from the load at one time; undefined if the time is ignored. */
const METRICS: Readonly<Record<string, (load: Load) => number | undefined>> = {
  effective_concurrency: load => load.concurrency,
  effective_total_throughput: load => load.totalRate,
  active_total_throughput: load => (load.concurrency > 0 ? load.totalRate : undefined),
  effective_decode_concurrency: load => load.decodeUsers,
  effective_decode_throughput: load => load.decodeRate,
  effective_decode_throughput_per_user: load =>
    load.decodeUsers > 0 ? load.decodeRate / load.decodeUsers : 0,
  active_decode_throughput: load => (load.decodeUsers > 0 ? load.decodeRate : undefined),
  active_decode_throughput_per_user: load =>
    load.decodeUsers > 0 ? load.decodeRate / load.decodeUsers : undefined,
  effective_prefill_concurrency: load => load.prefillUsers,
  effective_prefill_throughput: load => load.prefillRate,
  effective_prefill_throughput_per_user: load =>
    load.prefillUsers > 0 ? load.prefillRate / load.prefillUsers : 0,
  active_prefill_throughput: load => (load.prefillUsers > 0 ? load.prefillRate : undefined),
  active_prefill_throughput_per_user: load =>
    load.prefillUsers > 0 ? load.prefillRate / load.prefillUsers : undefined,
  tokens_in_flight: load => load.tokens,
};

/** The times of the chunks after the first, which may be after the end of the request. */
function listChunks({ firstTokenNs, gapsNs }: RequestInterval): number[] {
  return gapsNs.map((_, index) => gapsNs.slice(0, index + 1).reduce((time, gap) => time + gap, firstTokenNs));
}

/** The largest number below a positive one. */
function precede(value: number): number {
  return value * (1 - Number.EPSILON / 2);
}

function listTimes(request: RequestInterval): number[] {
  const { startNs, firstTokenNs, endNs } = request;
  if (Number.isNaN(firstTokenNs)) return [startNs, endNs];
  return [startNs, firstTokenNs, endNs, precede(endNs), ...listChunks(request)];
}

/** Adds the load of a request from `fromNs` to `toNs`, between which no request changes. */
function addRequest(load: Load, request: RequestInterval, usesGaps: boolean, fromNs: number): void {
  const { startNs, firstTokenNs, endNs, inputTokens, outputTokens, gapsNs } = request;
  const isBetween = (low: number, high: number): boolean => low <= fromNs && fromNs < high;
  const isInFlight = isBetween(startNs, endNs);
  if (isInFlight) load.concurrency += 1;
  if (Number.isNaN(firstTokenNs)) return;
  const input = firstTokenNs > startNs ? inputTokens : 0;
  if (isBetween(startNs, firstTokenNs)) {
    load.prefillUsers += 1;
    load.prefillRate += (input / (firstTokenNs - startNs)) * 1e9;
    load.totalRate += (input / (firstTokenNs - startNs)) * 1e9;
  }
  if (isInFlight) load.tokens += input;
  const isDecoding = isBetween(firstTokenNs, endNs);
  const rate = ((outputTokens - 1) / (endNs - firstTokenNs)) * 1e9;
  if (isDecoding) {
    load.decodeUsers += 1;
    load.totalRate += rate;
  }
  if (!usesGaps) {
    if (!isDecoding) return;
    load.decodeRate += rate;
    load.tokens += outputTokens;
    return;
  }
  if (gapsNs.length === 0) return;
  const chunks = listChunks(request);
  const timed = gapsNs.filter(gap => gap > 0).length;
  chunks.forEach((chunkNs, index) => {
    const gap = gapsNs[index]!;
    if (isBetween(chunkNs - gap, chunkNs)) load.decodeRate += ((outputTokens - 1) / timed / gap) * 1e9;
    if (isInFlight && fromNs >= Math.min(chunkNs, precede(endNs)))
      load.tokens += (outputTokens - 1) / gapsNs.length;
  });
  if (isDecoding) load.tokens += 1;
}

/** Computes every metric in a range from the load between all times, one after the other. */
function computeSegments(requests: readonly RequestInterval[], { startNs, endNs }: TimeRange) {
  const usesGaps = requests.some(({ gapsNs }) => gapsNs.length > 0);
  const times = [startNs, endNs, ...requests.flatMap(listTimes)]
    .filter(timeNs => timeNs >= startNs && timeNs <= endNs)
    .sort((a, b) => a - b);
  return times.slice(1).flatMap((toNs, index) => {
    const fromNs = times[index]!;
    if (toNs === fromNs) return [];
    const load: Load = {
      concurrency: 0,
      decodeUsers: 0,
      prefillUsers: 0,
      decodeRate: 0,
      prefillRate: 0,
      totalRate: 0,
      tokens: 0,
    };
    for (const request of requests) addRequest(load, request, usesGaps, fromNs);
    return [{ load, durationNs: toNs - fromNs }];
  });
}

type Held = readonly (readonly [value: number, durationNs: number])[];

/** Returns the value at a fraction of the time. */
function selectValue(sorted: Held, q: number): number {
  const total = sorted.reduce((sum, [, durationNs]) => sum + durationNs, 0);
  let below = 0;
  for (const [value, durationNs] of sorted) {
    below += durationNs;
    if (below / total >= q) return value;
  }
  return sorted.at(-1)?.[0] ?? 0;
}

const TOLERANCE = 1e-12;

function expectClose(actual: number, low: number, high: number, scale: number, name: string): void {
  const tolerance = TOLERANCE * scale;
  expect(
    actual >= low - tolerance && actual <= high + tolerance,
    `${name}: ${actual}, not ${low}..${high}`,
  ).toBe(true);
}

const ms = (max: number) => fc.integer({ min: 0, max }).map(value => value * 1e6);

const REQUEST = fc
  .record({
    startNs: ms(50),
    prefillNs: fc.option(ms(20)),
    gapsNs: fc.array(ms(5), { maxLength: 4 }),
    decodeNs: ms(20),
    inputTokens: fc.integer({ min: 1, max: 100 }),
    outputTokens: fc.integer({ min: 1, max: 50 }),
  })
  .map(
    ({ startNs, prefillNs, gapsNs, decodeNs, ...tokens }): RequestInterval => ({
      ...tokens,
      startNs,
      firstTokenNs: prefillNs === null ? Number.NaN : startNs + prefillNs,
      endNs: startNs + 1e6 + (prefillNs ?? 0) + decodeNs,
      gapsNs: prefillNs === null ? [] : gapsNs,
    }),
  );

const RANGES = fc
  .uniqueArray(ms(100), { minLength: 2, maxLength: 5 })
  .map(times => times.sort((a, b) => a - b))
  .map(times => times.slice(1).map((endNs, index): TimeRange => ({ startNs: times[index]!, endNs })));

test('metrics over time equal the load of all requests, added up between any two changes', () => {
  fc.assert(
    fc.property(fc.array(REQUEST, { maxLength: 12 }), RANGES, (requests, ranges) => {
      const curves = new LoadCurves();
      for (const request of requests) curves.add(request);
      const blocks = computeTimeBlocks(curves, ranges, true);
      ranges.forEach((range, index) => {
        const segments = computeSegments(requests, range);
        expect(Object.keys(blocks[index]!)).toEqual(Object.keys(METRICS));
        for (const [tag, toValue] of Object.entries(METRICS)) {
          const held = segments.flatMap(({ load, durationNs }) => {
            const value = toValue(load);
            return value === undefined ? [] : [[value, durationNs] as const];
          });
          const sorted = held.toSorted(([a], [b]) => a - b);
          const total = held.reduce((sum, [, durationNs]) => sum + durationNs, 0) || 1;
          const avg = held.reduce((sum, [value, durationNs]) => sum + value * durationNs, 0) / total;
          const squares = held.reduce((sum, [value, durationNs]) => sum + durationNs * (value - avg) ** 2, 0);
          const [min, max] = [sorted[0]?.[0] ?? 0, sorted.at(-1)?.[0] ?? 0];
          const block = blocks[index]![tag]!;
          const expectStat = (key: keyof typeof block, low: number, high = low): void =>
            expectClose(block[key] as number, low, high, Math.max(1, max), `${tag}.${key}`);
          expectStat('avg', avg);
          expectStat('min', min);
          expectStat('max', max);
          expectStat('std', Math.sqrt(squares / total));
          // A sum of times can be rounded to the other side of the fraction.
          for (const [key, q] of [
            ['p50', 0.5],
            ['p90', 0.9],
            ['p95', 0.95],
            ['p99', 0.99],
          ] as const)
            expectStat(key, selectValue(sorted, q - TOLERANCE), selectValue(sorted, q + TOLERANCE));
        }
      });
    }),
  );
});

test('rates do not drift with the number of requests', () => {
  const curves = new LoadCurves();
  for (let index = 0; index < 20_000; index++)
    curves.add({
      startNs: index * 1e6,
      firstTokenNs: index * 1e6 + 7e6 + (index % 13) * 1001,
      endNs: index * 1e6 + 10e6,
      inputTokens: 1 + (index % 977),
      outputTokens: 10,
      gapsNs: [],
    });
  const alone = {
    startNs: 1e12,
    firstTokenNs: 1.3e12,
    endNs: 1.5e12,
    inputTokens: 100,
    outputTokens: 3,
    gapsNs: [],
  };
  curves.add(alone);
  const [blocks] = computeTimeBlocks(curves, [{ startNs: 1e12, endNs: 1.5e12 }], true);
  expect(blocks!.active_prefill_throughput).toMatchObject({ min: 100 / 300, max: 100 / 300 });
});
