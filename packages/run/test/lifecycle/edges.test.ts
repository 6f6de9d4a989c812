import type { Clock, Endpoint, JournalWriter } from '@org/scrape';
import { beforeEach, describe, expect, test } from 'vitest';
import { Edges } from '../../src/lifecycle/edges.ts';

const [a, b] = [{}, {}] as Endpoint[] as [Endpoint, Endpoint];

let now = 0n;
let marks: unknown[] = [];
let edges: Edges;
beforeEach(() => {
  now = 100n;
  marks = [];
  const clock = { nowNs: () => now++ } as unknown as Clock;
  const journal = { mark: (mark: unknown) => marks.push(mark) } as unknown as JournalWriter;
  edges = new Edges(clock, journal, endpoint => (endpoint === a ? 0 : 1));
});

test('both ends stand in the journal as soon as they are known', () => {
  edges.begin(new Map([[a, 90n]]));
  edges.end();
  edges.closing(b, 110n);
  expect(marks).toEqual([
    { kind: 'profiling_start', atNs: 100n, data: { 0: 90n } },
    { kind: 'profiling_end', atNs: 101n },
    { kind: 'closing', atNs: 110n, data: { 1: 110n } },
  ]);
  expect(edges.period(200n)).toEqual({ startNs: 100n, endNs: 101n });
  expect(edges.of(a)).toEqual({ baseline_ns: 90n });
  expect(edges.of(b)).toEqual({ closing_ns: 110n });
});

test('a run that never came to profiling has an empty period at its end', () => {
  expect(edges.hasBegun).toBe(false);
  expect(edges.period(200n)).toEqual({ startNs: 200n, endNs: 200n });
  expect(edges.of(a)).toEqual({});
});

describe('a sample that comes late', () => {
  test('belongs to the begin that it was meant for', () => {
    const baselines = new Map<Endpoint, bigint>();
    edges.begin(baselines);
    edges.baseline(baselines, b, 105n);
    expect(edges.of(b)).toEqual({ baseline_ns: 105n });
    expect(marks.at(-1)).toEqual({ kind: 'baseline', atNs: 105n, data: { 1: 105n } });
  });

  test('is but a sample once another begin has taken its place', () => {
    const replaced = new Map<Endpoint, bigint>();
    edges.begin(replaced);
    edges.begin(new Map([[b, 103n]]));
    edges.baseline(replaced, b, 105n);
    expect(edges.of(b)).toEqual({ baseline_ns: 103n });
    expect(marks).toHaveLength(2);
  });
});
