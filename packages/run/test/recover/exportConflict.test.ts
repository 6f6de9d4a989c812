import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunHeader } from '@org/record/journal';
import { afterAll, expect, test } from 'vitest';
import { checkConflict, ExportConflictError } from '../../src/recover/exportConflict.ts';

const folder = mkdtempSync(join(tmpdir(), 'conflict-'));
afterAll(() => rmSync(folder, { recursive: true }));

const JOURNAL = join(folder, 'server_metrics.journal');
const EXPORT = join(folder, 'server_metrics_export.json');
const HEADER: RunHeader = {
  benchmarkId: 'mine',
  version: '1.0.0',
  startNs: 1n,
  inputConfig: {},
  exports: { formats: ['json'], percentileMethod: 'moments' },
};

test.each([
  ['in several lines', '{\n  "schema_version": "1.0",\n  "benchmark_id": "other"'],
  ['in one line', '{"schema_version":"1.0","benchmark_id":"other","summary":'],
])('rejects an export of another run %s', (_, text) => {
  writeFileSync(EXPORT, text);
  expect(() => checkConflict(JOURNAL, HEADER)).toThrow(ExportConflictError);
  expect(() => checkConflict(JOURNAL, HEADER)).toThrow(
    `${EXPORT} belongs to a different run than ${JOURNAL} and would be overwritten`,
  );
});

test.each([
  ['of the same run', '{"benchmark_id": "mine"}'],
  ['without an ID', '{"summary": {}}'],
  ['that is empty', ''],
])('accepts an export %s', (_, text) => {
  writeFileSync(EXPORT, text);
  expect(() => checkConflict(JOURNAL, HEADER)).not.toThrow();
});

test('accepts a missing export, and exports with another prefix', () => {
  writeFileSync(EXPORT, '{"benchmark_id": "other"}');
  const prefixed = { ...HEADER, exports: { ...HEADER.exports, prefix: 'a' } };
  expect(() => checkConflict(JOURNAL, prefixed)).not.toThrow();
});

test.skipIf(process.platform === 'win32')('does not wait for a named pipe with the name of an export', () => {
  rmSync(EXPORT, { force: true });
  execFileSync('mkfifo', [EXPORT]);
  expect(() => checkConflict(JOURNAL, HEADER)).not.toThrow();
});
