import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from '@org/formats';
import { exportRun } from '@org/run/export';
import { afterAll, describe, expect, test } from 'vitest';
import { endpointRecord, runRecord } from '../../../../packages/record/test/support/runRecord.ts';
import { layoutsOf } from '../../src/export/layouts.ts';

describe('layoutsOf', () => {
  test.each([
    [{}, {}, {}],
    [{}, { jsonLayout: 'legacy' }, { jsonLayout: 'legacy' }],
    [
      { 'json-layout': '1.0' },
      { jsonLayout: 'legacy', csvLayout: 'aiperf' },
      { jsonLayout: '1.0', csvLayout: 'aiperf' },
    ],
    [{ 'csv-layout': 'aiperf' }, {}, { csvLayout: 'aiperf' }],
  ] as const)('of %j after %j is %j', (raw, otherwise, expected) => {
    expect(layoutsOf(raw, otherwise)).toEqual(expected);
  });

  test('refuses two', () => {
    expect(() => layoutsOf({ 'json-layout': ['1.0', 'legacy'] })).toThrow('--json-layout is given 2 times');
  });
});

describe('exportRun', () => {
  const folder = mkdtempSync(join(tmpdir(), 'layouts-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const summary = (n: number) => ({ sum: n / 2, count: n, quantiles: { '0.5': 0.5 } });
  const run = runRecord(
    [
      endpointRecord('http://a:1/metrics', { c: 'counter', s: 'summary' }, [
        [0, { c: 1, s: summary(2) }],
        [1, { c: 3, s: summary(4) }],
        [2, { c: 9, s: summary(8) }],
      ]),
    ],
    1,
    2,
  );
  const options = {
    folder,
    formats: ['json', 'csv'],
    percentileMethod: 'polynomial',
    batchSize: 100,
  } as const;

  test('writes schema 1.0 and our CSV when nothing is said, and names the summaries that are left out', async () => {
    const { results, skippedSummaries } = await exportRun(run, options);
    expect(skippedSummaries).toEqual(['s']);
    expect(await validate(results[0]!.path)).toMatchObject({ version: '1.0', valid: true });
    expect(readFileSync(results[1]!.path, 'utf8')).toMatch(/^Endpoint,.*\n/);
  });

  test('writes the other layouts', async () => {
    const { results, skippedSummaries, document } = await exportRun(run, {
      ...options,
      jsonLayout: 'legacy',
      csvLayout: 'aiperf',
    });
    expect(skippedSummaries).toEqual([]);
    expect(await validate(results[0]!.path)).toMatchObject({ version: 'legacy', valid: true, issues: [] });
    expect(JSON.parse(readFileSync(results[0]!.path, 'utf8')).metrics.s.series[0]).toMatchObject({
      observation_count: 6,
      delta: 3,
      quantiles: { '0.5': 0.5 },
    });
    expect(readFileSync(results[1]!.path, 'utf8')).toMatch(/^# AIPerf.*\n(#.*\n)+Endpoint,.*\r\n/);
    expect(document.schema_version).toBe('1.0');
  });
});
