import { expect, test } from 'vitest';
import { convertBlocks } from '../../src/profile/aiperfBlocks.ts';

const LATENCY = { unit: 'ms', avg: 2, std: Math.SQRT2, count: 2, sum: 4 };
const CONCURRENCY = { unit: 'requests', avg: 1.5, std: 0.5 };

test('metrics are unchanged by default', () => {
  const blocks = { request_latency: LATENCY, effective_concurrency: CONCURRENCY };
  expect(convertBlocks(blocks, undefined)).toBe(blocks);
  expect(convertBlocks(blocks, 'servelens')).toBe(blocks);
});

test.each([
  ['two values', LATENCY, 1],
  ['one value', { unit: 'ms', avg: 2, std: 0, count: 1, sum: 2 }, 0],
  ['a metric over time', CONCURRENCY, 0.5],
  ['a single value', { unit: 'requests', avg: 4 }, undefined],
])('the standard deviation of %s is that of the population for AIPerf', (_, block, std) => {
  const { metric } = convertBlocks({ metric: block }, 'aiperf-0.13');
  expect(metric!.std).toEqual(std === undefined ? undefined : expect.closeTo(std, 12));
  expect({ ...metric, std: 0 }).toEqual({ ...block, std: 0 });
});

test('metrics that need the time of the first token are 0 for AIPerf if it is unknown', () => {
  const zeros = { avg: 0, p50: 0, p90: 0, p95: 0, p99: 0, min: 0, max: 0, std: 0 };
  const blocks = convertBlocks({ effective_concurrency: CONCURRENCY }, 'aiperf-0.13');
  expect(Object.keys(blocks)).toHaveLength(14);
  expect(blocks.tokens_in_flight).toEqual({ unit: 'tokens', ...zeros });
  expect(blocks.effective_concurrency).toEqual(CONCURRENCY);
});

test('measured metrics are not replaced by 0', () => {
  const blocks = convertBlocks(
    { effective_concurrency: CONCURRENCY, tokens_in_flight: { unit: 'tokens', avg: 7 } },
    'aiperf-0.13',
  );
  expect(blocks.tokens_in_flight).toEqual({ unit: 'tokens', avg: 7 });
});

test('no metrics are added to a phase without requests', () => {
  expect(convertBlocks({ request_count: { unit: 'requests', avg: 0 } }, 'aiperf-0.13')).toEqual({
    request_count: { unit: 'requests', avg: 0 },
  });
});
