import { describe, expect, it } from 'vitest';
import { detectCsvKind } from '../../src/validate/csvKind.ts';
import { detectDocument } from '../../src/validate/documentKind.ts';

const summary = { endpoints_configured: [] };
const series = { m: { series: [{ stats: {} }] } };

it.each([
  [
    'server metrics',
    { schema_version: '1.0', summary, metrics: {} },
    'server-metrics',
    '1.0',
    'server-metrics.1.0',
  ],
  [
    'server metrics without a version',
    { summary, metrics: series },
    'server-metrics',
    null,
    'server-metrics.1.1',
  ],
  [
    'server metrics without metrics',
    { schema_version: '1.0', summary },
    'server-metrics',
    '1.0',
    'server-metrics.1.0',
  ],
  [
    'server metrics without a summary',
    { schema_version: '1.0', metrics: series },
    'server-metrics',
    '1.0',
    'server-metrics.1.0',
  ],
  [
    'server metrics of AIPerf 0.13',
    { schema_version: '1.1', summary, metrics: {} },
    'server-metrics',
    '1.1',
    'server-metrics.1.1',
  ],
  [
    'a newer version of server metrics',
    { schema_version: '1.2', summary, metrics: {} },
    'server-metrics',
    '1.2',
    'server-metrics.1.1',
  ],
  [
    'the flat layout',
    { summary, metrics: { m: { series: [{ delta: 0 }] } } },
    'server-metrics',
    'legacy',
    'server-metrics.legacy',
  ],
  [
    'an empty document as the flat layout',
    { summary, metrics: {} },
    'server-metrics',
    'legacy',
    'server-metrics.legacy',
  ],
  ['a record', { endpoint_url: 'u', metrics: {} }, 'server-metrics-jsonl', '1.0', 'server-metrics-record'],
  [
    'a profile',
    { schema_version: '1.3', m: { unit: 'ms', avg: 1 } },
    'profile-export',
    '1.3',
    'profile-export.1.3',
  ],
  [
    'an old profile',
    { schema_version: '1.0', m: { unit: 'ms', avg: 1 } },
    'profile-export',
    '1.0',
    'profile-export.1.0',
  ],
  [
    'a newer profile',
    { schema_version: '1.9', m: { unit: 'ms', avg: 1 } },
    'profile-export',
    '1.9',
    'profile-export.1.4',
  ],
  [
    'a profile without metrics',
    { schema_version: '1.2', run_info: {} },
    'profile-export',
    '1.2',
    'profile-export.1.2',
  ],
  [
    'an aggregate',
    { schema_version: '1.0', metadata: { aggregation_type: 'confidence' } },
    'profile-aggregate',
    '1.0',
    'profile-aggregate.1.0',
  ],
  [
    'a search of AIPerf',
    { config: {}, iterations: [], best_trials: null },
    'search-history',
    null,
    'search-history.1.0',
  ],
  ['a sweep', { aggregation_type: 'sweep', metadata: {} }, 'profile-sweep', null, 'profile-sweep.1.0'],
  [
    'a sweep without an aggregation type',
    { schema_version: '1.0', per_combination_metrics: [] },
    'profile-sweep',
    '1.0',
    'profile-sweep.1.0',
  ],
  [
    'an aggregate of an unknown type as unknown',
    { schema_version: '1.0', metadata: { aggregation_type: 'median' } },
    'unknown',
    '1.0',
    undefined,
  ],
  [
    'collated runs',
    { schema_version: '1.0.0', metadata: { aggregation_type: 'detailed' } },
    'profile-collated',
    '1.0.0',
    'profile-collated.1.0.0',
  ],
  [
    'newer collated runs',
    { schema_version: '1.1.0', metadata: { aggregation_type: 'detailed' } },
    'profile-collated',
    '1.1.0',
    'profile-collated.1.0.0',
  ],
  [
    'an aggregate without an aggregation type',
    { metadata: {}, metrics: { m: { ci_low: 1 } } },
    'profile-aggregate',
    null,
    'profile-aggregate.1.0',
  ],
  ['timeslices', { timeslices: [] }, 'profile-timeslices', null, 'profile-timeslices.1.0'],
  [
    'a request',
    { metadata: { session_num: 0, request_end_ns: 1n } },
    'profile-export-jsonl',
    null,
    'profile-record',
  ],
  [
    'a raw request',
    { metadata: { session_num: 0, request_end_ns: 1n }, payload: {}, responses: [] },
    'raw-records-jsonl',
    null,
    'raw-record',
  ],
  [
    'a sample of a GPU',
    { gpu_uuid: 'GPU-1', timestamp_ns: 1n, telemetry_data: {} },
    'gpu-telemetry-jsonl',
    null,
    'gpu-telemetry-record',
  ],
  [
    'a phase manifest',
    { phases: [{ phase_name: 'warmup' }], schema_version: 1 },
    'phase-manifest',
    '1',
    'phase-manifest.1',
  ],
  [
    'a newer phase manifest',
    { phases: [{ phase_name: 'warmup' }], schema_version: 2 },
    'phase-manifest',
    '2',
    'phase-manifest.1',
  ],
  [
    'server metrics of a phase',
    { data: { endpoint_summaries: {} }, phase: {}, schema_version: 1 },
    'phase-server-metrics',
    '1',
    'phase-server-metrics.1',
  ],
  [
    'GPU telemetry of a phase',
    { data: { endpoints: {} }, phase: {}, schema_version: 1 },
    'phase-gpu-telemetry',
    '1',
    'phase-gpu-telemetry.1',
  ],
  ['the requests of a data set', { data: [{ session_id: 's', payloads: [] }] }, 'inputs', null, 'inputs'],
  ['responses', { schema_version: '1.0', data: [] }, 'outputs', '1.0', 'outputs.1.0'],
  [
    'the file that marks complete results',
    { ready: true, was_cancelled: false },
    'results-ready',
    null,
    'results-ready',
  ],
  ['a series as unknown', { endpoint_url: 'u', stats: {} }, 'unknown', null, undefined],
  ['an array as unknown', [], 'unknown', null, undefined],
  ['null as unknown', null, 'unknown', null, undefined],
  ['an object without known fields as unknown', { constructor: 1 }, 'unknown', null, undefined],
])('detects %s', (_, value, document, version, schema) => {
  expect(detectDocument(value)).toMatchObject({ document, version, ...(schema ? { schema } : {}) });
});

it.each([
  ['1.0', { m: { unit: 'ms', avg: 1 } }],
  ['1.1', { m: { unit: 'ms', avg: 1, count: 1 } }],
  ['1.2', { m: { unit: 'ms', avg: 1 }, run_info: { trial: 0 } }],
  ['1.3', { m: { unit: 'ms', avg: 1 }, run_info: { benchmark_id: 'x' } }],
])('a profile export without a version is detected as %s by its fields', (version, value) => {
  expect(detectDocument(value)).toEqual({
    document: 'profile-export',
    version: null,
    schema: `profile-export.${version}`,
  });
});

describe('detectCsvKind', () => {
  it.each([
    ['Endpoint,Type,Metric,Unit\n', undefined, 'server-metrics-csv'],
    [
      '# AIPerf Server Metrics Export (CSV)\n#\nEndpoint,Type\r\n',
      'profile_export.csv',
      'server-metrics-csv',
    ],
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
  ])('detects the kind of %j with the file name %s: %s', (text, name, kind) => {
    expect(detectCsvKind(text, name)).toBe(kind);
  });

  it('takes linear time', () => {
    expect(detectCsvKind('#\n'.repeat(1_000_000))).toBe('server-metrics-csv');
    expect(detectCsvKind(' '.repeat(1_000_000))).toBe('server-metrics-csv');
  });
});
