import { parseTimeNs } from '@org/record/open';
import { expect, test } from 'vitest';
import { resolveTimeRange } from '../../src/export/timeRange.ts';

const SECOND_NS = 1_000_000_000n;
const START = 1_795_259_380n * SECOND_NS;
const run = {
  startNs: START - 10n * SECOND_NS,
  endNs: START + 70n * SECOND_NS,
  period: { startNs: START, endNs: START + 60n * SECOND_NS },
};
/** Returns a period in seconds relative to the start of profiling. */
const createPeriod = (start: number, end: number) => ({
  startNs: START + BigInt(Math.round(start * 1e9)),
  endNs: START + BigInt(Math.round(end * 1e9)),
});

test.each([
  [{}, undefined],
  [{ start: '10', end: '20' }, createPeriod(10, 20)],
  [{ start: '-2.5' }, createPeriod(-2.5, 60)],
  [{ end: '+.5s' }, createPeriod(0, 0.5)],
  [{ window: '10..20' }, createPeriod(10, 20)],
  [{ window: '..20' }, createPeriod(0, 20)],
  [{ window: '10..' }, createPeriod(10, 60)],
  [{ window: 'run' }, createPeriod(-10, 70)],
  [{ window: 'profiling' }, createPeriod(0, 60)],
  [{ window: 'warmup' }, { startNs: START - 10n * SECOND_NS, endNs: START - 1n }],
  [
    { start: String(START + 3n), end: '2026-11-21T11:09:50Z' },
    { startNs: START + 3n, endNs: 1_795_259_390n * SECOND_NS },
  ],
])('resolves %j', (range, expected) => {
  expect(resolveTimeRange(range, run)).toEqual(expected);
});

test.each([
  [{ start: 'now' }, 'invalid start "now": expected seconds relative to the start of profiling'],
  [{ window: '1..2..3' }, 'invalid window "1..2..3": expected START..END'],
  [{ window: 'constructor' }, 'invalid window "constructor": expected START..END'],
  [{ window: 'x..3' }, 'invalid window "x": expected seconds'],
  [{ start: '5', end: '4' }, 'the time range ends 1 s before its start'],
  [{ window: 'run', start: '5' }, 'window: cannot be used together with a start or an end'],
  [
    { start: '80', end: '90' },
    'the time range is outside the run, which lasted from -10 s to 70 s relative to the start of profiling',
  ],
  [{ window: '-30..-10.5' }, 'outside the run'],
])('rejects %j', (range, message) => {
  expect(() => resolveTimeRange(range, run)).toThrow(message);
});

test.each([
  ['2026-11-21T08:15:30Z', 1_795_248_930_000_000_000n],
  ['2026-11-21T08:15:30.123456Z', 1_795_248_930_123_456_000n],
  ['2026-11-21T08:15:30.123456', 1_795_248_930_123_456_000n],
  ['2026-11-21T10:15:30+02:00', 1_795_248_930_000_000_000n],
  ['2026-13-21T08:15:30Z', undefined],
  ['yesterday', undefined],
])('parses the time %s', (text, ns) => {
  expect(parseTimeNs(text)).toBe(ns);
});
