import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { computeDerived } from '../../src/derived/computeDerived.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { createDocument } from '../documents.ts';
import { createMetrics, SHARED } from '../recordedPage.ts';

/** The first and the last page of a server, and the values that its counters give by hand. */
const PAGES: readonly [string, string, Readonly<Record<string, number>>][] = [
  [
    'vllm-0.29.0/base-before.prom',
    'vllm-0.29.0/base-after.prom',
    {
      prefix_cache_hit_rate: 340_864 / 682_998,
      prefill_token_share: 342_134 / 509_430,
      tokens_per_step: 509_430 / 23_061,
      kv_cache_size: 1_048_576,
    },
  ],
  [
    'vllm-0.29.0/dp2-before.prom',
    'vllm-0.29.0/dp2-after.prom',
    {
      output_token_imbalance: 4922 / 4705,
      tokens_per_step: (26_940 + 24_486) / (1617 + 1432),
      kv_cache_size: 2 * 1_048_576,
    },
  ],
  [
    '',
    'dynamo-1.6.1/kv3/after.frontend.prom',
    { router_cache_hit_rate: 48_000 / 122_626, router_cache_hit_loss: 0 },
  ],
  // SGLang of 2024 exports its hit rate in percent, newer versions from 0 to 1.
  ['', '../fixtures/exposition/sglang-2024.txt', { prefix_cache_hit_rate: 0.1061 }],
  ['', '../fixtures/exposition/sglang-docs.txt', { prefix_cache_hit_rate: 0.007507552643049313 }],
];

const isMissing = !existsSync(join(SHARED, 'peers/vllm-0.29.0'));
if (isMissing) console.warn(`skipped: no shared test data at ${SHARED} (set SERVELENS_SHARED)`);

describe.skipIf(isMissing)('recorded pages (shared test data)', () => {
  test.each(PAGES)('from %j to %s', (from, to, expected) => {
    const values = computeDerived(createRunFromView(createDocument(createMetrics(from, to))));
    const found = values.filter(({ name, value }) => value !== undefined && Object.hasOwn(expected, name));
    expect(Object.fromEntries(found.map(({ name, value }) => [name, value]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, expect.closeTo(value, 12)])),
    );
  });
});
