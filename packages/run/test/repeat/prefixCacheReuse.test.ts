import type { ServerMetricsDocument } from '@org/formats';
import { expect, test } from 'vitest';
import { findPrefixCacheReuse } from '../../src/repeat/prefixCacheReuse.ts';
import { computeRunFigures, type RunFigures } from '../../src/repeat/runFigures.ts';
import { exportOf } from './fakes.ts';

/** A run in which so many of 100 prompt tokens came out of the cache, on two engines. */
function run(
  hits: number,
  names: readonly [string, string] = ['vllm:prefix_cache_hits', 'vllm:prefix_cache_queries'],
): RunFigures {
  const counter = (totals: readonly number[]): object => ({
    type: 'counter',
    description: '',
    series: totals.map((total, engine) => ({
      endpoint_url: 'u',
      labels: { engine: String(engine) },
      stats: { total },
    })),
  });
  const metrics = { [names[0]]: counter([hits, 0]), [names[1]]: counter([60, 40]) };
  const servers = { schema_version: '1.0', metrics } as unknown as ServerMetricsDocument;
  return computeRunFigures(exportOf([1], 1), servers);
}

const SGLANG = ['sglang:cached_tokens', 'sglang:prompt_tokens'] as const;

test.each([
  ['later runs from the cache', [run(0), run(60), run(40)], { first: 0, later: 0.5 }],
  ['of SGLang', [run(10, SGLANG), run(50, SGLANG)], { first: 0.1, later: 0.5 }],
  ['all runs from the cache', [run(50), run(52)], undefined],
  ['the first run more than the others', [run(50), run(10)], undefined],
  ['one run', [run(50)], undefined],
  ['no server', [computeRunFigures(exportOf([1], 1)), computeRunFigures(exportOf([1], 1))], undefined],
])('%s', (_, runs, expected) => {
  expect(findPrefixCacheReuse(runs)).toEqual(expected);
});
