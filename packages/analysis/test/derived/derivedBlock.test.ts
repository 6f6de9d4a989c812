import { expect, test } from 'vitest';
import { createDerivedBlock } from '../../src/derived/derivedBlock.ts';
import { createCounter, createDocument, createMetric, START_NS, URL_A } from '../documents.ts';

const counter = (total: number, slices?: readonly number[]): object =>
  createMetric('counter', [createCounter(total, slices ? { slices } : {})]);

test('a value has its formula, endpoint, server and timeslices', () => {
  const metrics = { 'vllm:prefix_cache_hits': counter(1, [1]), 'vllm:prefix_cache_queries': counter(4, [4]) };
  const block = createDerivedBlock(createDocument(metrics));
  expect(block.find(({ name }) => name === 'prefix_cache_hit_rate')).toEqual({
    name: 'prefix_cache_hit_rate',
    formula: expect.stringContaining('cache_hits / cache_queries'),
    unit: 'ratio',
    endpoint_url: URL_A,
    labels: { server: 'vLLM' },
    value: 0.25,
    is_exact: true,
    timeslices: [{ start_ns: START_NS, end_ns: START_NS + 2_000_000_000n, value: 0.25 }],
  });
});

test('a value that half a set of metrics does not support has a reason', () => {
  const block = createDerivedBlock(createDocument({ 'vllm:spec_decode_num_draft_tokens': counter(8) }));
  expect(block).toEqual([
    {
      ...{ name: 'spec_decode_acceptance_rate', formula: expect.any(String), unit: 'ratio' },
      ...{ endpoint_url: URL_A, labels: { server: 'vLLM' } },
      missing: 'needs spec_accepted_tokens, which vLLM at localhost:8000 does not export',
    },
  ]);
});

test('a run without known servers has no derived metrics', () => {
  expect(createDerivedBlock(createDocument({ go_goroutines: counter(8) }))).toEqual([]);
});
