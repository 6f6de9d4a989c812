import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readBenchmarkId } from '../../src/export/benchmarkId.ts';

const folder = mkdtempSync(join(tmpdir(), 'benchmark-id-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['in several lines', '{\n  "schema_version": "1.0",\n  "benchmark_id": "a"', 'a'],
  ['in one line', '{"schema_version":"1.0","benchmark_id":"b","summary":', 'b'],
  ['without an ID', '{"summary": {}}', undefined],
  ['that is empty', '', undefined],
])('reads an export %s', (_, text, id) => {
  const path = join(folder, 'export.json');
  writeFileSync(path, text);
  expect(readBenchmarkId(path)).toBe(id);
});

test('returns undefined for a missing file and for a folder', () => {
  expect(readBenchmarkId(join(folder, 'none.json'))).toBeUndefined();
  expect(readBenchmarkId(folder)).toBeUndefined();
});
