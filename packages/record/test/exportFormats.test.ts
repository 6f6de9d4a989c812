import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datasetPath, exportPath } from '../src/exportFormats.ts';

test.each([
  [undefined, 'server_metrics_export.csv', 'server_metrics_export'],
  ['run1', 'run1_server_metrics.csv', 'run1_server_metrics'],
])('names exports with prefix %j', (prefix, file, dataset) => {
  expect(exportPath('out', prefix, 'csv')).toBe(join('out', file));
  expect(datasetPath('out', prefix)).toBe(join('out', dataset));
});
