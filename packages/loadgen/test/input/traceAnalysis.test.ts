import { expect, test } from 'vitest';
import { analyzeTrace } from '../../src/input/traceAnalysis.ts';
import type { TraceEntry } from '../../src/input/traceEntry.ts';

function createEntry(input: number, output: number, hashIds: readonly number[] = []): TraceEntry {
  return { place: 'trace:1', session: 's', timestamp: undefined, input, output, hashIds };
}

const ENTRIES = [
  createEntry(35, 10, [1, 2, 3, 4]),
  createEntry(33, 7, [1, 2, 5, 6]),
  createEntry(48, 21, [1, 2, 3, 7, 8]),
  createEntry(12, 5),
  createEntry(28, 5, [9, 10, 11]),
];

test('computes the figures of AIPerf 0.13.0', () => {
  expect(analyzeTrace(ENTRIES, 10)).toEqual({
    total_requests: 5,
    unique_prefixes: 11,
    num_prefix_groups: 1,
    cache_hit_rate: 0.275,
    min_isl: 12,
    max_isl: 48,
    avg_isl: 31.2,
    min_osl: 5,
    max_osl: 21,
    avg_osl: 9.6,
    prefix_reuse_ratio: 0.5,
    isl_stats: {
      mean: 31.2,
      std_dev: expect.closeTo(11.651609330903607, 10),
      min: 12,
      p25: 28,
      median: 33,
      p75: 35,
      max: 48,
    },
    osl_stats: expect.objectContaining({ std_dev: expect.closeTo(5.986651818838306, 10), median: 7 }),
    context_length_stats: {
      mean: 16,
      std_dev: expect.closeTo(13.564659966250536, 10),
      min: 0,
      p25: 0,
      median: 20,
      p75: 30,
      max: 30,
    },
    unique_prompt_length_stats: expect.objectContaining({ mean: 15.2, min: 5, p75: 18, max: 28 }),
    hit_rate_stats: {
      mean: 0.275,
      std_dev: expect.closeTo(0.2772634126602354, 10),
      min: 0,
      p25: 0,
      median: 0.25,
      p75: expect.closeTo(0.525, 10),
      max: 0.6,
    },
  });
});

test('a prompt whose blocks all occur elsewhere is shared as a whole', () => {
  const { context_length_stats: contexts, hit_rate_stats: rates } = analyzeTrace(
    [createEntry(15, 1, [1, 2]), createEntry(15, 1, [1, 2])],
    10,
  );
  expect([contexts!.min, contexts!.max]).toEqual([15, 15]);
  expect([rates!.min, rates!.max]).toEqual([0, 1]);
});

test('a trace without hash ids has no hit rates', () => {
  expect(analyzeTrace([createEntry(5, 1)], 10)).toMatchObject({ cache_hit_rate: 0, hit_rate_stats: null });
});
