import { expect, test } from 'vitest';
import { buildSummaryDocument } from '../../src/summary/json.ts';
import { CLUSTER, createHostileRun, INCOMPLETE_RUNS } from '../support/summarizedRuns.ts';

test('contains times as strings, endpoints, key metrics and the evidence of findings', () => {
  const summary = buildSummaryDocument(CLUSTER);
  expect(summary).toMatchObject({
    run: 'cluster',
    profiling_start_ns: '1795254800000000000',
    profiling_seconds: 20,
    metrics: 8,
    series: 96,
    endpoints: expect.arrayContaining([
      expect.objectContaining({
        name: 'down:1',
        state: 'without_data',
        last_error: 'refused the connection',
      }),
    ]),
    servers: [{ name: 'vLLM' }],
  });
  const finding = summary.findings.find(({ id }) => id === 'full-kv-cache');
  expect(finding).toMatchObject({ severity: 'problem', server: 'vLLM' });
  expect(finding!.evidence[0]!.numbers).toEqual({ max: 1, avg: 0.9, preemptions: 5 });
});

test('omits the findings in `without`', () => {
  const { findings } = buildSummaryDocument(CLUSTER, { without: ['full-kv-cache'] });
  expect(findings.map(({ id }) => id)).not.toContain('full-kv-cache');
});

test('contains text from servers unchanged, escaped by JSON', () => {
  expect(JSON.stringify(buildSummaryDocument(createHostileRun()))).not.toContain('\u001b');
});

test.each(Object.entries(INCOMPLETE_RUNS))('describes an incomplete run: %s', (_, run) => {
  expect(JSON.parse(JSON.stringify(buildSummaryDocument(run)))).toHaveProperty('findings');
});
