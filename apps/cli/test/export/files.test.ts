import { exportPath } from '@org/record';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { cleanPrefix } from '../../src/export/exportoptions.ts';

test.each([
  ['my_benchmark', 'my_benchmark'],
  ['my_benchmark.json', 'my_benchmark'],
  ['my_benchmark.txt', 'my_benchmark'],
  ['run_server_metrics.parquet', 'run'],
  ['run_timeslices.csv', 'run'],
  ['/abs/path/run.json', 'run'],
  ['run.v1.csv', 'run.v1'],
])('the prefix of %s is %s', (text, prefix) => {
  expect(cleanPrefix(text)).toBe(prefix);
});

test.each(['', '.json', '/', '..'])('%j leaves no prefix', text => {
  expect(() => cleanPrefix(text)).toThrow(UsageError);
});

test('files are named as seed 002 says', () => {
  expect(exportPath('/a', undefined, 'json')).toBe('/a/server_metrics_export.json');
  expect(exportPath('/a', 'p', 'parquet')).toBe('/a/p_server_metrics.parquet');
});
