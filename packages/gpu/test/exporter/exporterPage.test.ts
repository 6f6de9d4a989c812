import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Layout } from '@org/core';
import { ExpositionReader } from '@org/scrape/exposition';
import { expect, test } from 'vitest';
import { ExporterPage } from '../../src/exporter/exporterPage.ts';

const FOLDER = join(import.meta.dirname, '..', 'files', 'exporter');
const PAGES = readdirSync(FOLDER).filter(name => name.endsWith('.prom'));

function parse(reader: ExpositionReader, text: string): Float64Array {
  return reader.read(Buffer.from(text), 'classic').values;
}

test.each(PAGES)('reads the GPUs of %s', name => {
  const layout = new Layout();
  const page = new ExporterPage(layout);
  const values = parse(new ExpositionReader(layout), readFileSync(join(FOLDER, name), 'utf8'));
  const expected = JSON.parse(readFileSync(join(FOLDER, name.replace('.prom', '.json')), 'utf8'));
  const readings = page.read(values);
  expect(readings.map(({ gpu }) => gpu)).toEqual(expected.map(({ gpu }: { gpu: unknown }) => gpu));
  for (const [index, reading] of readings.entries()) {
    expect(Object.keys(reading.values).sort()).toEqual(Object.keys(expected[index].values).sort());
    for (const [field, value] of Object.entries(reading.values))
      expect(value, field).toBeCloseTo(expected[index].values[field], 9);
  }
});

test('reads the page of an AMD exporter that adds the prefix amd_ to its metrics', () => {
  const text = readFileSync(join(FOLDER, 'amd-mi300x.prom'), 'utf8');
  const [plain, prefixed] = [text, text.replaceAll(/\b(gpu|pcie|xgmi)_(?=\w+[ {])/g, 'amd_$1_')].map(body => {
    const layout = new Layout();
    const page = new ExporterPage(layout);
    return page.read(parse(new ExpositionReader(layout), body));
  });
  expect(prefixed!.length).toBeGreaterThan(0);
  expect(prefixed).toEqual(plain);
});

test('reads GPUs that appear in a later frame', () => {
  const layout = new Layout();
  const reader = new ExpositionReader(layout);
  const page = new ExporterPage(layout);
  const line = (gpu: number): string =>
    `DCGM_FI_DEV_POWER_USAGE{gpu="${gpu}",UUID="GPU-${gpu}"} ${100 + gpu}\n`;
  expect(page.read(parse(reader, line(0)))).toHaveLength(1);
  const readings = page.read(parse(reader, line(0) + line(1)));
  expect(readings.map(({ values }) => values.nvidia_power_usage)).toEqual([100, 101]);
});

test('omits GPUs that a frame does not contain', () => {
  const layout = new Layout();
  const reader = new ExpositionReader(layout);
  const page = new ExporterPage(layout);
  const zero = 'DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-0"} 100\n';
  page.read(parse(reader, `${zero}DCGM_FI_DEV_POWER_USAGE{gpu="1",UUID="GPU-1"} 101\n`));
  expect(page.read(parse(reader, zero)).map(({ gpu }) => gpu.index)).toEqual([0]);
});
