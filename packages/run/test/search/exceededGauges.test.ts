import { Layout } from '@org/core';
import { describe, expect, test } from 'vitest';
import type { SampledEndpoint } from '../../src/profile/profileResult.ts';
import { describeExceededGauge } from '../../src/search/exceededGauges.ts';

const WAITING = 'vllm:num_requests_waiting';
const RULE = `max(${WAITING}) < 5`;
const LIMITS = [{ limit: { metric: WAITING, operator: '<', max: 5 }, rule: RULE }] as const;
const START_NS = 1000n;

/** Creates an endpoint with a series per value. */
function createEndpoint(
  values: readonly number[],
  changes: { readonly type?: 'gauge' | 'counter'; readonly name?: string; readonly health?: object } = {},
): SampledEndpoint {
  const { type = 'gauge', name = WAITING, health } = changes;
  const layout = new Layout();
  for (const engine of values.keys()) layout.scalar({ name, type, help: '' }, [['engine', String(engine)]]);
  return {
    url: 'http://a/metrics',
    layout,
    latest: Float64Array.from(values),
    stalledMs: 0,
    health: { status: 'active', lastSuccessNs: START_NS, ...health },
  };
}

describe('a gauge above its limit', () => {
  test.each([
    ['of one series', [createEndpoint([7])]],
    ['of one of several series', [createEndpoint([0, 7])]],
    ['of another endpoint', [createEndpoint([0]), createEndpoint([7])]],
  ])('%s is named, with its value and the rule', (_, endpoints) => {
    expect(describeExceededGauge(LIMITS, endpoints, START_NS)).toBe(
      `ended early: ${WAITING} of http://a/metrics was 7, so ${RULE} has failed whatever the further values are`,
    );
  });

  test('a value that is equal to a strict limit exceeds it', () => {
    expect(describeExceededGauge(LIMITS, [createEndpoint([5])], START_NS)).toContain('was 5');
    const limits = [{ limit: { metric: WAITING, operator: '<=', max: 5 }, rule: RULE }] as const;
    expect(describeExceededGauge(limits, [createEndpoint([5])], START_NS)).toBeUndefined();
  });
});

test.each([
  ['a lower value', createEndpoint([4])],
  ['an unknown value', createEndpoint([Number.NaN])],
  ['a counter', createEndpoint([7], { type: 'counter' })],
  ['another metric', createEndpoint([7], { name: 'vllm:num_requests_running' })],
  ['a value from before profiling', createEndpoint([7], { health: { lastSuccessNs: START_NS - 1n } })],
  ['an endpoint that does not respond', createEndpoint([7], { health: { status: 'failing' } })],
  ['an endpoint without a scrape', createEndpoint([7], { health: { lastSuccessNs: undefined } })],
])('%s does not end a run', (_, endpoint) => {
  expect(describeExceededGauge(LIMITS, [endpoint], START_NS)).toBeUndefined();
});
