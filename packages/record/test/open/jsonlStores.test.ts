import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromPath } from '@org/formats/read';
import { writeServerMetricsLine } from '@org/formats/write';
import { expect, onTestFinished, test } from 'vitest';
import {
  createFamilyLookup,
  createNameLookup,
  type FamilyLookup,
  type JsonlSamples,
  readJsonlStores,
  toFamily,
} from '../../src/open/jsonlStores.ts';
import { createExportView } from '../../src/view/exportView.ts';
import { generateServerMetricsRecords } from '../../src/view/jsonlRecords.ts';
import { endpoint, mixedRun } from '../support/mixedRun.ts';
import { T0 } from '../support/runRecord.ts';

const A = 'http://a:1/metrics';

/** Writes the JSONL export of the run and reads its samples. */
async function exportAndRead(lookup: FamilyLookup): Promise<JsonlSamples> {
  const folder = mkdtempSync(join(tmpdir(), 'jsonl-stores-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'server_metrics_export.jsonl');
  const lines = [...generateServerMetricsRecords(createExportView(mixedRun))].map(writeServerMetricsLine);
  writeFileSync(file, lines.map(line => `${line}\n`).join(''));
  return readJsonlStores(fromPath(file), lookup, undefined);
}

test('reads the samples and times of every endpoint', async () => {
  const { stores, firstNs, lastNs, profilingScrapesNs } = await exportAndRead(
    createNameLookup(name => name === 'c'),
  );
  expect([...stores.keys()]).toEqual([A, 'http://b:1/metrics']);
  expect([firstNs, lastNs]).toEqual([T0, T0 + 4_000_000_000n]);
  const { startNs } = mixedRun.period;
  for (const times of profilingScrapesNs!.values()) expect([...times].every(ns => ns >= startNs)).toBe(true);
  expect([...profilingScrapesNs!.keys()]).toEqual([A, 'http://b:1/metrics']);
  const { layout, frameCount } = stores.get(A)!;
  // The scrape with an unchanged body is not exported.
  expect(frameCount).toBe(endpoint.store.frameCount - 1);
  expect(layout.series.map(({ family: { name, type } }) => `${name}: ${type}`)).toEqual([
    'c: counter',
    'g: unknown',
    'h: histogram',
  ]);
});

test('takes types and units from a JSON export, if they fit the samples', () => {
  const series: never[] = [];
  const find = createFamilyLookup({
    latency: { type: 'histogram', description: 'Time', unit: 'seconds', series },
    depth: { type: 'gauge', description: 'Depth', unit: 'pages', series },
  } as unknown as Parameters<typeof createFamilyLookup>[0]);
  expect(find('latency', true)).toMatchObject({ type: 'histogram', help: 'Time' });
  expect(find('latency', false)).toEqual({ name: 'latency', type: 'unknown', help: '' });
  expect(find('depth', false)).toMatchObject({ type: 'gauge', declaredUnit: 'pages' });
  expect(find('missing', true)).toEqual({ name: 'missing', type: 'histogram', help: '' });
  expect(find('toString', false)).toMatchObject({ type: 'unknown' });
});

test('declares only units that would not be inferred', () => {
  expect(toFamily('request_seconds', 'gauge', '', 'seconds')).not.toHaveProperty('declaredUnit');
  expect(toFamily('request_seconds', 'gauge', '', null)).not.toHaveProperty('declaredUnit');
  expect(toFamily('depth', 'gauge', '', 'pages')).toMatchObject({ declaredUnit: 'pages' });
});
