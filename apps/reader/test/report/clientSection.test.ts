import { createRun, createRunFromView } from '@org/analysis';
import { describe, expect, test } from 'vitest';
import { buildClientSection } from '../../src/report/clientSection.ts';
import type { ClientSection } from '../../src/report/document.ts';
import { createMetricRun, VLLM_METRICS } from '../support/reportedRuns.ts';

const STATS = { avg: 5, min: 1, max: 9, p50: 5, p90: 8, p99: 9, std: 2 };
const RECONCILIATION = {
  server: 'vLLM',
  latencies: [],
  findings: [{ kind: 'other_clients', message: 'other clients sent requests' }],
};

function build(fields: object): ClientSection | undefined {
  const profile = {
    schema_version: '1.3',
    request_count: { unit: 'requests', avg: 3 },
    request_latency: { unit: 'ms', ...STATS, count: 3, sum: 15 },
    ...fields,
  } as never;
  const { view } = createMetricRun(VLLM_METRICS);
  return buildClientSection(createRun({ name: 'run', layout: 'json', files: {}, view, profile }));
}

test('lists metrics in the order of the console', () => {
  expect(build({})).toEqual({
    metrics: [
      { name: 'request_latency', unit: 'ms', stats: STATS },
      { name: 'request_count', unit: 'requests', stats: { avg: 3 } },
    ],
  });
});

test('returns undefined for a run without a load generator', () => {
  const { view } = createMetricRun(VLLM_METRICS);
  expect(buildClientSection(createRunFromView(view))).toBeUndefined();
});

describe('the reconciliation', () => {
  test('is included', () => {
    expect(build({ reconciliation: RECONCILIATION })!.reconciliation).toEqual(RECONCILIATION);
  });

  test.each([{ of: 'something else' }, null, 'text', { ...RECONCILIATION, findings: {} }])(
    'is omitted if it is invalid: %j',
    reconciliation => {
      expect(build({ reconciliation })!.reconciliation).toBeUndefined();
    },
  );
});
