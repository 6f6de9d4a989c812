import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getDatasetPath, getExportPath } from '../src/exportFormats.ts';

test.each([
  [undefined, 'server_metrics_export.csv', 'server_metrics_export'],
  ['run1', 'run1_server_metrics.csv', 'run1_server_metrics'],
])('names exports with prefix %j', (prefix, file, dataset) => {
  expect(getExportPath('out', prefix, 'csv')).toBe(join('out', file));
  expect(getDatasetPath('out', prefix)).toBe(join('out', dataset));
});
