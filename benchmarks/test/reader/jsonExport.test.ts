import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromPath, validate } from '@org/formats';
import { afterAll, expect, test } from 'vitest';
import { writeJsonExport } from '../../src/reader/jsonExport.ts';

const folder = mkdtempSync(join(tmpdir(), 'export-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  { endpoints: 2, slices: 3, factor: 1 },
  { endpoints: 5, slices: 0, factor: 1.2 },
])('writes a valid export of %j', async size => {
  const file = join(folder, 'server_metrics_export.json');
  const series = writeJsonExport(file, size);
  expect(series % size.endpoints).toBe(0);
  expect(await validate(fromPath(file))).toMatchObject({ valid: true, issues: [] });
  const { metrics } = JSON.parse(readFileSync(file, 'utf8'));
  expect(metrics['vllm:generation_tokens'].series).toHaveLength(size.endpoints);
  expect(metrics['vllm:generation_tokens'].series[0].timeslices?.length ?? 0).toBe(size.slices);
});

test('multiplies the values by the factor', () => {
  const readRate = (factor: number): number => {
    const file = join(folder, `factor-${factor}.json`);
    writeJsonExport(file, { endpoints: 1, slices: 0, factor });
    return JSON.parse(readFileSync(file, 'utf8')).metrics['vllm:prompt_tokens'].series[0].stats.rate;
  };
  expect(readRate(1.2) / readRate(1)).toBeCloseTo(1.2, 9);
});
