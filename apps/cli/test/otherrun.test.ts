import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isOfAnotherRun } from '../src/otherrun.ts';

const folder = mkdtempSync(join(tmpdir(), 'otherrun-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['of this run', '{\n  "schema_version": "1.0",\n  "benchmark_id": "a"', false],
  ['of another run', '{\n  "schema_version": "1.0",\n  "benchmark_id": "b"', true],
  ['that says nothing', '{"summary": {}}', false],
  ['that is empty', '', false],
])('an export %s', (_, text, is) => {
  const path = join(folder, 'export.json');
  writeFileSync(path, text);
  expect(isOfAnotherRun(path, 'a')).toBe(is);
});

test('what is not there, or is a folder, is of no run', () => {
  expect(isOfAnotherRun(join(folder, 'none.json'), 'a')).toBe(false);
  expect(isOfAnotherRun(folder, 'a')).toBe(false);
});
