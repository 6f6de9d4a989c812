import { writeProfileAggregateJson, writeProfileSweepJson } from '@org/formats/write';
import { afterAll, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { runReader, writeTestFile } from '../support/runReader.ts';
import { AGGREGATE, SWEEP } from '../support/sweepDocuments.ts';

const { path: folder, remove } = createTempFolder('print-run-set');
afterAll(remove);

const SEED = { seed: 9007199254740993n };
const [first, ...others] = SWEEP.per_combination_metrics;
const sweep = writeTestFile(
  folder,
  'sweep/profile_export_aiperf_sweep.json',
  writeProfileSweepJson({
    ...SWEEP,
    per_combination_metrics: [{ ...first!, variation_label: 'seeded', parameters: SEED }, ...others],
    pareto_optimal: [SEED],
  }),
);
const repeated = writeTestFile(
  folder,
  'repeated/profile_export_aiperf_aggregate.json',
  writeProfileAggregateJson(AGGREGATE),
);

test.each([
  ['a sweep for a terminal', sweep, [], /^ ● seeded +2 +8\.125 ±1\.588/m],
  ['a sweep as Markdown', sweep, ['--markdown'], /^\| ● \| seeded \|/m],
  ['a sweep as JSON, with all digits', sweep, ['--json'], /"seed": 9007199254740993,?$/m],
  ['repeated runs for a terminal', repeated, [], /^ 3 runs +mean/m],
  ['repeated runs as Markdown', repeated, ['--markdown'], /^3 of 4 runs$/m],
  ['repeated runs as JSON', repeated, ['--json'], /"request_latency_avg": \{/],
])('prints %s', async (_, file, options, expected) => {
  const { code, out, err } = await runReader(['summary', file, ...options]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(expected);
});

test.each([sweep, repeated])('omits server metrics from the JSON of %s', async file => {
  expect((await runReader(['summary', file, '--json'])).out).not.toContain('server_metrics');
});
