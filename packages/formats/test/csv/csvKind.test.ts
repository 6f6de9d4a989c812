import { expect, it } from 'vitest';
import { detectCsvKind } from '../../src/csv/csvKind.ts';

it.each([
  ['Endpoint,Type,Metric,Unit\n', undefined, 'server-metrics-csv'],
  ['# AIPerf Server Metrics Export (CSV)\n#\nEndpoint,Type\r\n', 'profile_export.csv', 'server-metrics-csv'],
  ['Metric,avg,min\n', 'server_metrics_export.csv', 'profile-export-csv'],
  ['\ufeff"Metric","Value"\r\n', undefined, 'profile-export-csv'],
  ['\n\nEndpoint,GPU_Index,GPU_Name\n', undefined, 'profile-export-csv'],
  ['Timeslice,Metric,Unit,Stat,Value\n', undefined, 'profile-timeslices-csv'],
  ['metric,mean,std,min\r\n', undefined, 'profile-aggregate-csv'],
  ['', '/runs/profile_export_aiperf_aggregate.csv', 'profile-aggregate-csv'],
  ['concurrency,request_throughput_avg_mean\n4,1.5\n', undefined, 'profile-sweep-csv'],
  ['x\n', 'profile_export_aiperf_sweep.csv', 'profile-sweep-csv'],
  ['', undefined, 'server-metrics-csv'],
  ['', '/runs/profile_export_aiperf.csv', 'profile-export-csv'],
  ['Slice,What\n', 'profile_export_aiperf_timeslices.csv', 'profile-timeslices-csv'],
])('%j called %s is %s', (text, name, kind) => {
  expect(detectCsvKind(text, name)).toBe(kind);
});

it('takes linear time', () => {
  expect(detectCsvKind('#\n'.repeat(1_000_000))).toBe('server-metrics-csv');
  expect(detectCsvKind(' '.repeat(1_000_000))).toBe('server-metrics-csv');
});
