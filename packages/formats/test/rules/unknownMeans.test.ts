import { expect, test } from 'vitest';
import { validate } from '../../src/index.ts';

/** A sweep of AIPerf in which requests of the second variation failed. */
const createCsv = (max: string): string =>
  [
    'concurrency,adj_request_latency_mean,adj_request_latency_std,adj_request_latency_min,adj_request_latency_max,adj_request_latency_cv',
    '1,104.42,0.00,94.42,120.60,0.0000',
    `2,0.00,0.00,107.42,${max},0.0000`,
    '',
  ].join('\r\n');

test.each([
  ['accepts the unknown mean and maximum, which AIPerf writes as 0', '0.00', []],
  ['reports a mean outside of the known range', '120.00', ['gauge-average']],
])('%s', async (_, max, expected) => {
  const { issues } = await validate(createCsv(max));
  expect(issues.map(({ rule }) => rule)).toEqual(expected);
});
