import { UsageError } from '@org/terminal';
import { describe, expect, test } from 'vitest';
import { readExportPlan, readExportPrefix, readFormats, readMemoryLimit } from '../../src/options/output.ts';

describe('readMemoryLimit', () => {
  test.each([
    ['1GiB', 2 ** 30],
    ['512MB', 512e6],
    ['512mb', 512e6],
    ['1.5 GiB', 1.5 * 2 ** 30],
    ['8388608', 8388608],
    [8388608, 8388608],
    ['8192KiB', 8388608],
    ['2TB', 2e12],
    [undefined, 2 ** 30],
  ])('reads %j as %d bytes', (value, bytes) => {
    expect(readMemoryLimit({ 'memory-limit': value })).toBe(bytes);
  });

  test.each(['', 'much', '-1GiB', '1XB', '100KB', '0', 'NaN', '1e9GB', 'GiB'])('rejects %j', value => {
    expect(() => readMemoryLimit({ 'memory-limit': value })).toThrow(
      `invalid --memory-limit ${JSON.stringify(value)}: expected a size such as 512MB or 1GiB, at least 1MiB`,
    );
  });
});

describe('readExportPrefix', () => {
  test.each([
    ['my_benchmark', 'my_benchmark'],
    ['my_benchmark.json', 'my_benchmark'],
    ['my_benchmark.txt', 'my_benchmark'],
    ['run_server_metrics.parquet', 'run'],
    ['run_timeslices.csv', 'run'],
    ['/abs/path/run.json', 'run'],
    ['run.v1.csv', 'run.v1'],
  ])('reads the prefix of %s as %s', (text, prefix) => {
    expect(readExportPrefix({ 'profile-export-prefix': text })).toBe(prefix);
  });

  test.each(['', '.json', '/', '..', 'a/b', './b', 'a\\b'])('rejects %j', text => {
    expect(() => readExportPrefix({ 'profile-export-prefix': text })).toThrow(UsageError);
  });
});

describe('readExportPlan', () => {
  test.each([
    [{}, { compatibility: 'servelens', formats: ['json', 'csv', 'parquet'], percentileMethod: 'moments' }],
    [
      { compat: 'aiperf-0.13' },
      { compatibility: 'aiperf-0.13', formats: ['json', 'csv'], percentileMethod: 'polynomial' },
    ],
    [{ compat: 'aiperf-0.13', 'percentile-method': 'moments' }, { percentileMethod: 'moments' }],
    [
      { compat: 'aiperf-0.13', 'server-metrics-formats': ['parquet'] },
      { compatibility: 'aiperf-0.13', formats: ['parquet'] },
    ],
    [{ 'json-layout': 'legacy' }, { compatibility: 'servelens', jsonLayout: 'legacy' }],
  ])('reads %j', (raw, expected) => {
    expect(readExportPlan(raw)).toMatchObject(expected);
  });

  test('refuses the legacy JSON layout in files of AIPerf 0.13', () => {
    expect(() => readExportPlan({ compat: 'aiperf-0.13', 'json-layout': 'legacy' })).toThrow(UsageError);
  });
});

test('readFormats returns each format once', () => {
  expect(readFormats({ 'server-metrics-formats': ['csv', 'json', 'csv'] })).toEqual(['csv', 'json']);
  expect(readFormats({})).toBeUndefined();
});
