import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { validate } from '@org/formats';
import { writeProfileCollatedJson } from '@org/formats/write';
import { expect, test } from 'vitest';
import { createCollated, RequestsError } from '../../src/repeat/collatedRequests.ts';
import { createPlan, createReport, createSuccess, writeRequestsFile } from './fakes.ts';

const { runs } = createPlan({ runs: 3 });
const createRun = (index: number, latencies: readonly number[]): ReturnType<typeof createSuccess> =>
  createSuccess(runs[index]!, createReport(latencies, 1, { requests: writeRequestsFile(latencies) }));

test('combines the requests of all runs into one population', async () => {
  const outcomes = [createRun(0, [10, 20, 40]), { run: runs[1]!, error: 'no' }, createRun(2, [80])];
  const document = (await createCollated(outcomes, '1.2.3'))!;
  const { combined, per_run: perRun } = document.metrics.request_latency!;
  // numpy: mean, std(ddof=1), percentile of [10, 20, 40, 80].
  expect(combined).toMatchObject({ mean: 37.5, p50: 30, p90: 68, p95: 74, count: 4 });
  expect(combined.std).toBeCloseTo(30.956959368344517, 10);
  expect(combined.p99).toBeCloseTo(78.8, 10);
  expect(perRun).toEqual([
    { label: 'run_0001', mean: 70 / 3, count: 3 },
    { label: 'run_0003', mean: 80, count: 1 },
  ]);
  expect(document.metrics.inter_chunk_latency!.combined.count).toBe(8);
  expect(document.metadata).toMatchObject({ num_profile_runs: 3, num_successful_runs: 2 });
  const { issues } = await validate(writeProfileCollatedJson(document), { strict: true });
  expect(issues).toEqual([]);
});

test('leaves out the requests of the warm-up', async () => {
  const complete = createRun(0, [10, 20]);
  const expected = await createCollated([complete, complete], '1.2.3');
  const requests = writeRequestsFile([10, 20]);
  const warmup = {
    metadata: { benchmark_phase: 'warmup' },
    metrics: { request_latency: { value: 999, unit: 'ms' } },
  };
  appendFileSync(requests, `${JSON.stringify(warmup)}\n`);
  expect(await createCollated([complete, { ...complete, requests }], '1.2.3')).toEqual(expected);
});

test('lines end only at line feeds', async () => {
  const complete = createRun(0, [10, 20]);
  const expected = await createCollated([complete, complete], '1.2.3');
  const requests = writeRequestsFile([10, 20]);
  // JSON may contain these line separators of Unicode in strings, and carriage returns between values.
  const text = readFileSync(requests, 'utf8').replaceAll(
    '"error":null',
    '"error":\r{"message":"a\u2028b\u2029c"}',
  );
  writeFileSync(requests, text);
  expect(await createCollated([complete, { ...complete, requests }], '1.2.3')).toEqual(expected);
});

test('returns undefined for fewer than two runs', async () => {
  expect(await createCollated([createRun(0, [1])], '1.2.3')).toBeUndefined();
});

test('rejects a missing file', async () => {
  const missing = createSuccess(
    runs[0]!,
    createReport([1], 1, { requests: '/nowhere/profile_export.jsonl' }),
  );
  const collated = createCollated([missing, missing], '1.2.3');
  await expect(collated).rejects.toThrow(RequestsError);
  await expect(collated).rejects.toThrow('/nowhere/profile_export.jsonl: no such file');
});

test.each([
  ['garbage', /is not a request$/],
  ['{"metadata": {}, "metrics": {"request_lat', /is not a request$/],
  ['{"metadata": {}}', /is not a request: it has no metrics$/],
  ['null', /is not a request$/],
])('rejects the line %j', async (line, message) => {
  const complete = createRun(0, [1]);
  const requests = writeRequestsFile([1, 2]);
  appendFileSync(requests, line);
  const collated = createCollated([complete, { ...complete, requests }], '1.2.3');
  await expect(collated).rejects.toThrow(RequestsError);
  await expect(collated).rejects.toThrow(message);
  await expect(collated).rejects.toThrow(`line 3 of ${requests}`);
});
