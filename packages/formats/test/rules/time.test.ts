import { describe, expect, it } from 'vitest';
import { checkTimes, checkTimestamp, isPossibleTime } from '../../src/rules/time.ts';
import { collectFindings } from '../support/report.ts';

const NS = 1_772_000_000_000_000_000n;

it.each([
  [NS, []],
  [
    NS / 1_000_000_000n,
    ['timestamp-digits .at: is 1772000000; a Unix time in nanoseconds has 19 digits; it looks like seconds'],
  ],
  [
    NS / 1_000_000n,
    [
      'timestamp-digits .at: is 1772000000000; a Unix time in nanoseconds has 19 digits; it looks like milliseconds',
    ],
  ],
  [
    NS / 1_000n,
    [
      'timestamp-digits .at: is 1772000000000000; a Unix time in nanoseconds has 19 digits; it looks like microseconds',
    ],
  ],
  [0n, ['timestamp-digits .at: is 0; a Unix time in nanoseconds has 19 digits']],
  [-NS, [`timestamp-digits .at: is ${-NS}; a Unix time in nanoseconds has 19 digits`]],
])('checkTimestamp checks the digits of %s', (ns, expected) => {
  expect(collectFindings(report => checkTimestamp(report, ['at'], ns))).toEqual(expected);
});

it.each([
  ['2024-02-29T23:59:59Z', true],
  ['2026-02-29T00:00:00Z', false],
  ['2026-13-01T00:00:00Z', false],
  ['2026-04-31T00:00:00Z', false],
  ['2026-04-00T00:00:00Z', false],
  ['2026-04-30T24:00:00Z', false],
  ['2026-04-30T23:60:00Z', false],
  ['2016-12-31T23:59:60Z', true],
  ['2016-12-31T23:59:61Z', false],
  ['2026-04-30T12:00:00.123+05:30', true],
  ['2026-04-30T12:00:00+24:00', false],
  ['2026-04-30', false],
])('isPossibleTime of %s is %s', (text, expected) => {
  expect(isPossibleTime(text)).toBe(expected);
});

describe('checkTimes', () => {
  it('returns the profiling period if the summary has one', () => {
    const summary = {
      start_time: '2026-02-25T06:13:20Z',
      end_time: '2026-02-25T06:13:30Z',
      profiling_start_ns: NS + 1n,
      profiling_end_ns: NS + 2n,
    };
    expect(checkTimes(() => {}, [], summary)).toEqual({ startNs: NS + 1n, endNs: NS + 2n });
  });

  it('returns the collection period otherwise, if its times have a time zone', () => {
    const inZone = { start_time: '2026-02-25T06:13:20Z', end_time: '2026-02-25T07:13:30+01:00' };
    expect(checkTimes(() => {}, [], inZone)).toEqual({ startNs: NS, endNs: NS + 10_000_000_000n });
    const local = { start_time: '2026-02-25T06:13:20', end_time: '2026-02-25T06:13:30' };
    expect(checkTimes(() => {}, [], local)).toEqual({ startNs: undefined, endNs: undefined });
  });

  it.each([
    [
      'an end before the start',
      { start_time: '2026-02-25T06:13:20Z', end_time: '2026-02-25T06:13:19Z' },
      ['time-order .end_time: is 2026-02-25T06:13:19Z, before start_time (2026-02-25T06:13:20Z)'],
    ],
    [
      'times that cannot be compared, because only one has a time zone',
      { start_time: '2026-02-25T06:13:20Z', end_time: '2026-02-25T06:13:19' },
      [],
    ],
    [
      'a profiling period that ends before it starts',
      { profiling_start_ns: NS, profiling_end_ns: NS - 1n },
      [`time-order .profiling_end_ns: is ${NS - 1n}, before profiling_start_ns (${NS})`],
    ],
  ])('checks %s', (_, summary, expected) => {
    expect(collectFindings(report => checkTimes(report, [], summary))).toEqual(expected);
  });
});
