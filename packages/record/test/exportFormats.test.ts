import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getDatasetPath, getExportPath, parseExportName } from '../src/exportFormats.ts';

test.each([
  [undefined, 'server_metrics_export.csv', 'server_metrics_export'],
  ['run1', 'run1_server_metrics.csv', 'run1_server_metrics'],
])('names exports with prefix %j', (prefix, file, dataset) => {
  expect(getExportPath('out', prefix, 'csv')).toBe(join('out', file));
  expect(getDatasetPath('out', prefix)).toBe(join('out', dataset));
});

test.each([
  ['server_metrics_export.json', { extension: 'json' }],
  ['run_1_server_metrics.csv', { prefix: 'run_1', extension: 'csv' }],
  ['server_metrics.journal', { extension: 'journal' }],
  ['run1_server_metrics-2.journal', { prefix: 'run1', extension: 'journal' }],
  ['server_metrics_export-2.json', undefined],
  ['profile.journal', undefined],
  ['profile_export.jsonl', undefined],
])('parses the name %s', (name, parsed) => {
  expect(parseExportName(name)).toEqual(parsed);
});
