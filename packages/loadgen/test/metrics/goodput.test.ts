import { expect, test } from 'vitest';
import { parseGoodput } from '../../src/metrics/goodput.ts';

test('parses rules', () => {
  expect(parseGoodput(' time_to_first_token:200  output_token_throughput_per_user:30.5')).toEqual([
    { tag: 'time_to_first_token', limit: 200, moreIsBetter: false, needsStream: true },
    {
      tag: 'output_token_throughput_per_user',
      limit: 30.5,
      moreIsBetter: true,
      needsStream: true,
      needsOutput: true,
    },
  ]);
  expect(parseGoodput('request_latency:5')).toEqual([
    { tag: 'request_latency', limit: 5, moreIsBetter: false },
  ]);
});

test.each([
  ['', /^"": expected METRIC:LIMIT/],
  [
    'ttft:200',
    /^"ttft:200": unknown metric "ttft"; expected a metric with one value per request, such as time_to_first_token/,
  ],
  ['request_count:2', /^"request_count:2": unknown metric "request_count"/],
  ['inter_chunk_latency:2', /^"inter_chunk_latency:2": unknown metric/],
  ['request_latency', /^"request_latency": expected request_latency:NUMBER .* \(ms\)/],
  ['request_latency:fast', /^"request_latency:fast": expected request_latency:NUMBER/],
  ['request_latency:-1', /a number of at least 0/],
  ['request_latency:1:2', /request_latency:NUMBER/],
])('rejects %j', (text, message) => {
  expect(() => parseGoodput(text)).toThrow(message);
});
