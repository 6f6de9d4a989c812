import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readBenchmarkId } from '../../src/export/benchmarkId.ts';

const folder = mkdtempSync(join(tmpdir(), 'benchmarkid-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['in several lines', '{\n  "schema_version": "1.0",\n  "benchmark_id": "a"', 'a'],
  ['in one line', '{"schema_version":"1.0","benchmark_id":"b","summary":', 'b'],
  ['that says nothing', '{"summary": {}}', undefined],
  ['that is empty', '', undefined],
])('an export %s', (_, text, id) => {
  const path = join(folder, 'export.json');
  writeFileSync(path, text);
  expect(readBenchmarkId(path)).toBe(id);
});

test('what is not there, or is a folder, is of no run', () => {
  expect(readBenchmarkId(join(folder, 'none.json'))).toBeUndefined();
  expect(readBenchmarkId(folder)).toBeUndefined();
});
