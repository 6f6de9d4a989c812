import type { ServerMetricsDocument } from '@org/formats';
import { extractRunStatistics, type RunStatistics } from '@org/record/aggregate';
import { builtInServers } from '@org/servers';
import { expect, test } from 'vitest';
import { createExport } from '../../../record/test/support/profileExports.ts';
import { findPrefixCacheReuse } from '../../src/repeat/prefixCacheReuse.ts';

/** Creates a run of two engines in which `hits` of 100 prompt tokens were cached. */
function createRun(
  hits: number,
  names: readonly [string, string] = ['vllm:prefix_cache_hits', 'vllm:prefix_cache_queries'],
): RunStatistics {
  const createCounter = (totals: readonly number[]): object => ({
    type: 'counter',
    description: '',
    series: totals.map((total, engine) => ({
      endpoint_url: 'u',
      labels: { engine: String(engine) },
      stats: { total },
    })),
  });
  const metrics = { [names[0]]: createCounter([hits, 0]), [names[1]]: createCounter([60, 40]) };
  const servers = { schema_version: '1.0', metrics } as unknown as ServerMetricsDocument;
  return extractRunStatistics(createExport([1], 1), servers);
}

/** Creates a run in which `hits` of 100 prompt tokens were cached, with the histograms of Dynamo. */
function createDynamoRun(hits: number): RunStatistics {
  const createHistogram = (sum: number): object => ({
    type: 'histogram',
    description: '',
    series: [{ endpoint_url: 'u', stats: { count: 4, sum } }],
  });
  const metrics = {
    dynamo_frontend_cached_tokens: createHistogram(hits),
    dynamo_frontend_input_sequence_tokens: createHistogram(100),
  };
  const servers = { schema_version: '1.0', metrics } as unknown as ServerMetricsDocument;
  return extractRunStatistics(createExport([1], 1), servers);
}

const SGLANG = ['sglang:cached_tokens', 'sglang:prompt_tokens'] as const;

test.each([
  ['later runs that were cached', [createRun(0), createRun(60), createRun(40)], { first: 0, later: 0.5 }],
  ['counters of SGLang', [createRun(10, SGLANG), createRun(50, SGLANG)], { first: 0.1, later: 0.5 }],
  ['histograms of Dynamo', [createDynamoRun(5), createDynamoRun(45)], { first: 0.05, later: 0.45 }],
  ['runs that were all cached', [createRun(50), createRun(52)], undefined],
  ['a first run that was cached more than later runs', [createRun(50), createRun(10)], undefined],
  ['a single run', [createRun(50)], undefined],
  [
    'runs without server metrics',
    [extractRunStatistics(createExport([1], 1)), extractRunStatistics(createExport([1], 1))],
    undefined,
  ],
])('detects reuse of the prefix cache in: %s', (_, runs, expected) => {
  expect(findPrefixCacheReuse(runs, builtInServers)).toEqual(expected);
});
