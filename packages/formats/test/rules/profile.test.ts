import { describe, expect, it } from 'vitest';
import { checkBlock, checkProfile } from '../../src/rules/profile.ts';
import { collectFindings } from '../support/report.ts';

const LATENCY = { unit: 'ms', avg: 2, min: 1, max: 3, std: 1, p50: 2, count: 3, sum: 6 };

describe('checkBlock', () => {
  const check = (tag: string, block: object, minor = 3) =>
    collectFindings(report => checkBlock(report, [tag], tag, block as never, minor));

  it.each([
    ['a distribution', 'request_latency', LATENCY, 3],
    [
      'a distribution of version 1.0, which has no counts',
      'request_latency',
      { unit: 'ms', avg: 2, min: 1, max: 3 },
      0,
    ],
    ['a single value', 'request_count', { unit: 'requests', avg: 3 }, 3],
    ['an unknown metric with a single value', 'custom', { unit: 'x', avg: 3 }, 3],
  ])('accepts %s', (_, tag, block, minor) => {
    expect(check(tag, block, minor)).toEqual([]);
  });

  it.each([
    [
      'a percentile of a single value',
      'request_count',
      { unit: 'requests', avg: 3, p99: 3 },
      'profile-kind .request_count.p99: is present, but request_count is a single value, which has only unit and avg',
    ],
    [
      'a distribution without a count',
      'custom',
      { unit: 'x', avg: 2, min: 1, max: 3, sum: 6 },
      'profile-count .custom.count: is missing, but the block has min; distributions have a count since version 1.1',
    ],
    [
      'a per-request metric without a count',
      'request_latency',
      { unit: 'ms', avg: 2 },
      'profile-count .request_latency.count: is missing, but request_latency is measured for each request; distributions have a count since version 1.1',
    ],
    [
      'a distribution without a sum',
      'custom',
      { unit: 'x', avg: 2, min: 1, max: 3, count: 3 },
      'profile-sum .custom.sum: is missing, but the block has min; distributions have a sum since version 1.1',
    ],
    [
      'a count of a single value',
      'custom',
      { unit: 'x', avg: 2, count: 3 },
      'profile-single .custom.count: is 3, but the block has no distribution; single values have no count',
    ],
    [
      'a mean that is not sum / count',
      'request_latency',
      { ...LATENCY, sum: 9 },
      'histogram-average .request_latency.avg: is 2, but sum / count is 9 / 3 = 3',
    ],
    [
      'a timestamp in milliseconds',
      'min_request_timestamp',
      { unit: 'ns', avg: 1772000000000 },
      'timestamp-digits .min_request_timestamp.avg: is 1772000000000; a Unix time in nanoseconds has 19 digits; it looks like milliseconds',
    ],
  ])('reports %s', (_, tag, block, expected) => {
    expect(check(tag, block)).toEqual([expected]);
  });
});

describe('checkProfile', () => {
  it.each([
    [
      'a benchmark ID that differs from run_info',
      { benchmark_id: 'a', run_info: { benchmark_id: 'b' } },
      3,
      ['run-identity .run_info.benchmark_id: is b, but the benchmark_id of the document is a'],
    ],
    [
      'run_info before version 1.2',
      { run_info: { trial: 0 } },
      1,
      ['field-newer .run_info: was added in version 1.2, but schema_version is 1.1'],
    ],
    [
      'identifiers of run_info before version 1.3',
      { run_info: { sweep_id: 'x' } },
      2,
      ['field-newer .run_info.sweep_id: was added in version 1.3, but schema_version is 1.2'],
    ],
    [
      'counts and sums before version 1.1',
      { request_latency: { ...LATENCY, sum: undefined } },
      0,
      [
        'field-newer .request_latency.count: was added in version 1.1, but schema_version is 1.0',
        'field-newer .request_latency.sum: was added in version 1.1, but schema_version is 1.0',
      ],
    ],
    [
      'nothing in a consistent document',
      { request_latency: LATENCY, request_count: { unit: 'requests', avg: 3 } },
      3,
      [],
    ],
  ])('reports %s', (_, document, minor, expected) => {
    expect(collectFindings(report => checkProfile(report, document, minor))).toEqual(expected);
  });
});
