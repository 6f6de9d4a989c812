import { expect, test } from 'vitest';
import { BucketRules } from '../../src/exposition/bucketRules.ts';
import { parseClassic } from '../../src/exposition/classicParser.ts';

/** Checks the samples of family `h`, one per line. */
function check(...lines: string[]): void {
  const rules = new BucketRules('h');
  for (const { samples } of parseClassic(Buffer.from(lines.join('\n'))).families)
    for (const sample of samples) rules.add(sample);
  rules.finish();
}

test.each([
  [['h_bucket{le="1"} 1', 'h_bucket{le="+Inf"} 2', 'h_count 2', 'h_sum 3']],
  [['h_bucket{le="+Inf"} 2']],
  [['h_bucket{le="-1"} 1', 'h_bucket{le="+Inf"} 2', 'h_gcount 2', 'h_gsum -3']],
])('accepts %j', lines => {
  expect(() => check(...lines)).not.toThrow();
});

test.each([
  [['h_bucket{le="1"} 1'], 'h has no +Inf bucket'],
  [['h_bucket{le="2"} 1', 'h_bucket{le="1"} 1'], 'buckets must be in ascending order of their bounds'],
  [['h_bucket{le="1"} 1', 'h_bucket{le="1.0"} 1'], 'buckets must be in ascending order of their bounds'],
  [['h_bucket{le="1"} 2', 'h_bucket{le="+Inf"} 1'], 'a bucket count is lower than the previous one'],
  [['h_bucket{le="+Inf"} 1', 'h_count 2', 'h_sum 1'], 'the count differs from the +Inf bucket'],
  [['h_bucket{le="+Inf"} 1', 'h_count 1'], 'sum and count must occur together'],
  [
    ['h_bucket{le="-1"} 1', 'h_bucket{le="+Inf"} 1', 'h_count 1', 'h_sum 1'],
    'a histogram with negative bounds must not have a sum',
  ],
  [['h_bucket{le="+Inf"} 1', 'h_gcount 1', 'h_gsum -1'], 'the sum is negative, but no bucket bound is'],
])('rejects %j: %s', (lines, reason) => {
  expect(() => check(...lines)).toThrow(reason);
});
