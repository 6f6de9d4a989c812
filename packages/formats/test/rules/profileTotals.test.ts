import { expect, it } from 'vitest';
import { checkTotals } from '../../src/rules/profileTotals.ts';
import { collectFindings } from '../support/report.ts';

const createValue = (avg: number, unit = 'x') => ({ unit, avg });
const VALID = {
  benchmark_duration: createValue(10, 'sec'),
  request_count: createValue(20),
  request_throughput: createValue(2),
  request_latency: { unit: 'ms', avg: 1, count: 20 },
  output_sequence_length: { unit: 'tokens', avg: 5, sum: 100 },
  total_osl: createValue(100),
  output_token_throughput: createValue(10),
  error_request_count: createValue(2),
  error_summary: [{ count: 1 }, { count: 1 }],
};

it.each([
  ['accepts consistent totals', {}, []],
  ['accepts a difference of less than 1%', { request_throughput: createValue(2.01) }, []],
  [
    'does not compare rates with a duration in another unit',
    { benchmark_duration: createValue(10_000, 'ms') },
    [],
  ],
  ['does not compare absent metrics', { total_osl: undefined, output_token_throughput: createValue(99) }, []],
  [
    'reports an inconsistent throughput',
    { request_throughput: createValue(3) },
    ['profile-total .request_throughput.avg: is 3, but request_count / benchmark_duration is 2'],
  ],
  [
    'reports an inconsistent total',
    { total_osl: createValue(110), output_token_throughput: createValue(11) },
    ['profile-total .total_osl.avg: is 110, but the sum of output_sequence_length is 100'],
  ],
  [
    'reports a latency count that differs from the request count',
    { request_latency: { unit: 'ms', avg: 1, count: 15 } },
    ['profile-total .request_latency.count: is 15, but request_count is 20'],
  ],
  [
    'reports errors that do not add up',
    { error_summary: [{ count: 1 }] },
    ['profile-total .error_summary: counts 1 errors, but error_request_count is 2'],
  ],
])('%s', (_, change, expected) => {
  expect(collectFindings(report => checkTotals(report, { ...VALID, ...change }))).toEqual(expected);
});
