import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimatePolynomialPercentiles } from '@org/core';
import { streamLegacyServerMetricsJson, writeServerMetricsJson } from '@org/formats/write';
import { expect, onTestFinished, test } from 'vitest';
import { describeDocument, readDescription, toRunRecord } from '../../src/open/exportedRun.ts';
import { RunInputError } from '../../src/runInputError.ts';
import { createExportView } from '../../src/view/exportView.ts';
import { streamLegacyServerMetrics } from '../../src/view/legacyServerMetrics.ts';
import { createServerMetricsDocument } from '../../src/view/serverMetrics.ts';
import { endpoint, mixedRun } from '../support/mixedRun.ts';
import { T0 } from '../support/runRecord.ts';

const document = createServerMetricsDocument(createExportView(mixedRun), {
  estimator: estimatePolynomialPercentiles,
});
const description = describeDocument(document);
const { url, store } = endpoint;

function writeFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'exported-run-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'server_metrics_export.json');
  writeFileSync(path, text);
  return path;
}

test('combines a description with the samples of each endpoint', () => {
  const { record } = toRunRecord(description, { stores: new Map([[url, store]]) }, undefined);
  const { benchmarkId, version, period, cancelled, inputConfig } = mixedRun;
  expect(record).toMatchObject({ benchmarkId, version, period, cancelled, inputConfig });
  expect(record.endpoints.map(({ store: { frameCount } }) => frameCount)).toEqual([5, 0]);
  expect(record.endpoints[0]!.store).toBe(store);
});

test('restores the profiling period of the run from the export of a window', () => {
  const summary = {
    ...description.summary,
    exported_window: { run_profiling_start_ns: T0, run_profiling_end_ns: T0 + 9n },
  };
  expect(toRunRecord({ ...description, summary }, { stores: new Map() }, undefined).record.period).toEqual({
    startNs: T0,
    endNs: T0 + 9n,
  });
});

test('covers the whole run if the export records no period', () => {
  const {
    profiling_start_ns: _,
    profiling_end_ns: __,
    phase_time_ranges: ___,
    ...summary
  } = description.summary;
  const { startNs, endNs, period } = toRunRecord(
    { ...description, summary },
    { stores: new Map() },
    undefined,
  ).record;
  expect(period).toEqual({ startNs, endNs });
  // The times of the summary have a resolution of one microsecond.
  expect(startNs).toBe((T0 / 1000n) * 1000n);
});

test('reads a description of schema 1.0', async () => {
  const path = writeFile(writeServerMetricsJson(document));
  expect(describeDocument(await readDescription(path))).toEqual(description);
});

test('rejects the legacy layout as a description', async () => {
  const legacy = streamLegacyServerMetrics(createExportView(mixedRun), {
    estimator: estimatePolynomialPercentiles,
  });
  const path = writeFile([...streamLegacyServerMetricsJson(legacy)].join(''));
  await expect(readDescription(path)).rejects.toThrow(RunInputError);
  await expect(readDescription(path)).rejects.toThrow('it has the legacy flat layout; expected schema 1.0');
});
