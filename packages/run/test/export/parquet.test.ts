import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readServerMetricsParquet } from '@org/formats/parquet';
import { createExportView } from '@org/record/view';
import { expect, test } from 'vitest';
import { createEndpointRecord, createRunRecord } from '../../../record/test/support/runRecord.ts';
import { type ParquetOptions, writeParquetDataset, writeParquetFile } from '../../src/export/parquet.ts';
import { createFolder } from '../plans.ts';

const view = createExportView(
  createRunRecord(
    [
      createEndpointRecord('http://a:1/metrics', { c: 'counter', g: 'gauge', long: 'gauge' }, [
        [0, { 'c{model_name=m}': 5, 'g{value=x}': 1 }],
        [1, { 'c{model_name=m}': 7, 'g{value=x}': 2 }],
      ]),
    ],
    0,
    1,
  ),
);

const createOptions = (layout: ParquetOptions['layout'] = 'servelens'): ParquetOptions => ({
  layout,
  losses: { excludedLabels: new Set(), shortenedNames: [] },
});

test('writes a file with metadata, and lists labels that cannot be columns', async () => {
  const path = join(createFolder(), 'a.parquet');
  const options = createOptions();
  const { losses } = options;
  expect(await writeParquetFile(path, view, options)).toBeGreaterThan(0);
  expect([...losses.excludedLabels]).toEqual(['value']);
  const reader = await readServerMetricsParquet(path);
  expect(reader.columns.map(({ name }) => name)).toContain('model_name');
  expect(reader.metadata.get('aiperf.model_names')).toBe('["m"]');
  expect(reader.metadata.get('aiperf.endpoint_urls')).toBe('["http://a:1/metrics"]');
  expect(reader.metadata.has('servelens.run')).toBe(true);
  await reader.close();
});

test('writes only the metadata of AIPerf, and nullable columns, in the layout of AIPerf', async () => {
  const path = join(createFolder(), 'a.parquet');
  await writeParquetFile(path, view, createOptions('aiperf'));
  const reader = await readServerMetricsParquet(path);
  const keys = [...reader.metadata.keys()];
  expect(keys.filter(key => !key.startsWith('aiperf.'))).toEqual([]);
  expect(keys).not.toContain('aiperf.node_version');
  expect(keys).not.toContain('aiperf.parquet_library_version');
  expect(reader.metadata.get('aiperf.schema_note')).toContain('endpoint/model');
  expect(reader.metadata.get('aiperf.export_timestamp_utc')).toMatch(/\.\d{6}\+00:00$/);
  expect(reader.columns.filter(({ nullable }) => !nullable)).toEqual([]);
  await reader.close();
});

test('writes a partitioned dataset, and lists metric names that are too long for folder names', async () => {
  const name = 'n'.repeat(300);
  const longNameView = createExportView(
    createRunRecord(
      [createEndpointRecord('http://a:1/metrics', { [name]: 'gauge' }, [[0, { [name]: 1 }]])],
      0,
      1,
    ),
  );
  const path = join(createFolder(), 'dataset');
  const options = createOptions();
  const { losses } = options;
  expect(await writeParquetDataset(path, longNameView, options)).toBeGreaterThan(0);
  expect(losses.shortenedNames).toEqual([name]);
  expect(readdirSync(path)).not.toEqual([]);
});

test('leaves no file if writing fails', async () => {
  const folder = join(createFolder(), 'missing');
  await expect(writeParquetFile(join(folder, 'a.parquet'), view, createOptions())).rejects.toThrow();
  expect(existsSync(folder)).toBe(false);
});
