import type { Clock } from '@org/core';
import type { Endpoint, JournalWriter } from '@org/scrape';
import { beforeEach, describe, expect, test } from 'vitest';
import { PhaseBoundaries } from '../../src/lifecycle/phaseBoundaries.ts';

const [endpointA, endpointB] = [{}, {}] as Endpoint[] as [Endpoint, Endpoint];

let now = 0n;
let marks: unknown[] = [];
let boundaries: PhaseBoundaries;
beforeEach(() => {
  now = 100n;
  marks = [];
  const clock = { nowNs: () => now++ } as unknown as Clock;
  const journal = { addMark: (mark: unknown) => marks.push(mark) } as unknown as JournalWriter;
  boundaries = new PhaseBoundaries(clock, journal, endpoint => (endpoint === endpointA ? 0 : 1));
});

test('journals the boundaries and a closing sample immediately', () => {
  boundaries.start(new Map([[endpointA, 90n]]));
  boundaries.end();
  boundaries.addClosingSample(endpointB, 110n);
  expect(marks).toEqual([
    { kind: 'profiling_start', atNs: 100n, data: { 0: 90n } },
    { kind: 'profiling_end', atNs: 101n },
    { kind: 'closing', atNs: 110n, data: { 1: 110n } },
  ]);
  expect(boundaries.getPeriod(200n)).toEqual({ startNs: 100n, endNs: 101n });
  expect(boundaries.getSamples(endpointA)).toEqual({ baseline_ns: 90n });
  expect(boundaries.getSamples(endpointB)).toEqual({ closing_ns: 110n });
});

test('returns an empty period at the end of a run that never started profiling', () => {
  expect(boundaries.hasStarted).toBe(false);
  expect(boundaries.getPeriod(200n)).toEqual({ startNs: 200n, endNs: 200n });
  expect(boundaries.getSamples(endpointA)).toEqual({});
});

describe('a late baseline sample', () => {
  test('is added to the baselines of the current start', () => {
    const baselines = new Map<Endpoint, bigint>();
    boundaries.start(baselines);
    boundaries.addLateBaseline(baselines, endpointB, 105n);
    expect(boundaries.getSamples(endpointB)).toEqual({ baseline_ns: 105n });
    expect(marks.at(-1)).toEqual({ kind: 'baseline', atNs: 105n, data: { 1: 105n } });
  });

  test('is ignored if profiling was started again in the meantime', () => {
    const earlierBaselines = new Map<Endpoint, bigint>();
    boundaries.start(earlierBaselines);
    boundaries.start(new Map([[endpointB, 103n]]));
    boundaries.addLateBaseline(earlierBaselines, endpointB, 105n);
    expect(boundaries.getSamples(endpointB)).toEqual({ baseline_ns: 103n });
    expect(marks).toHaveLength(2);
  });
});
