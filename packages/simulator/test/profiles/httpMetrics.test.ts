import { expect, test } from 'vitest';
import { ExpositionWriter } from '../../src/metrics/exposition.ts';
import { PYTHON_STYLE } from '../../src/metrics/expositionStyle.ts';
import { Registry } from '../../src/metrics/registry.ts';
import { declareHttp } from '../../src/profiles/httpMetrics.ts';
import { readExposition, readSampleValue } from '../support/exposition.ts';

const exchange = {
  handler: '/v1/completions',
  method: 'POST',
  status: 200,
  durationS: 0.3,
  requestBytes: 50,
  responseBytes: 400,
};

function createHttpMetrics() {
  const registry = new Registry({ getTimeS: () => 0, truth: undefined });
  const record = declareHttp(registry);
  const read = () => readExposition(new ExpositionWriter(registry, PYTHON_STYLE).write());
  return { record, read };
}

test('has no series per handler before the first request', () => {
  const families = createHttpMetrics().read();
  expect(families.get('http_requests_total')!.samples).toEqual([]);
  expect(readSampleValue(families, 'http_request_duration_highr_seconds_count')).toBe(0);
});

test('counts requests by status class', () => {
  const { record, read } = createHttpMetrics();
  for (const status of [200, 204, 404]) record({ ...exchange, status });
  const families = read();
  const { handler } = exchange;
  expect(readSampleValue(families, 'http_requests_total', { handler, status: '2xx' })).toBe(2);
  expect(readSampleValue(families, 'http_requests_total', { handler, status: '4xx' })).toBe(1);
});

test('adds up sizes and durations', () => {
  const { record, read } = createHttpMetrics();
  record(exchange);
  record({ ...exchange, durationS: 0.7 });
  const families = read();
  expect(readSampleValue(families, 'http_request_size_bytes_sum')).toBe(100);
  expect(readSampleValue(families, 'http_response_size_bytes_sum')).toBe(800);
  expect(readSampleValue(families, 'http_request_duration_highr_seconds_sum')).toBeCloseTo(1, 12);
  expect(readSampleValue(families, 'http_request_duration_seconds_bucket', { le: '0.5' })).toBe(1);
});
