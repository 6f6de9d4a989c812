import { expect, test } from 'vitest';
import { convertTo, toLiteral, toQuantity, toUnitless } from '../../src/check/quantity.ts';
import { evaluateRule } from './runs.ts';

test.each<[string, boolean]>([
  ['vllm:e2e_request_latency_seconds.avg == 2000ms', true],
  ['2s >= vllm:e2e_request_latency_seconds.avg', true],
  ['other:latency_ms.avg < 0.3s', true],
  ['other:latency_ms.avg < vllm:e2e_request_latency_seconds.avg', true],
  ['vllm:kv_cache_usage_perc.max < 90%', true],
  ['vllm:kv_cache_usage_perc.avg == 0.4', true],
  ['other:usage_percent.avg == 40%', true],
  ['other:usage_percent.avg == 40', true],
  ['other:memory_bytes.avg == 1GiB', true],
  ['other:memory_bytes.avg > 1GB', true],
])('%s is %s', (text, expected) => {
  expect(evaluateRule(text)).toBe(expected);
});

test.each([
  [5, 's', 'time', 5],
  [200, 'ms', 'time', 0.2],
  [3, 'min', 'time', 180],
  [2, 'h', 'time', 7200],
  [7, 'µs', 'time', 7e-6],
  [1.5, 'GiB', 'size', 1.5 * 2 ** 30],
  [2, 'KB', 'size', 2000],
  [90, '%', 'ratio', 0.9],
  [4, null, null, 4],
])('parses %d%s', (value, suffix, dimension, base) => {
  const quantity = toLiteral(value, suffix);
  expect(quantity).toMatchObject({ value, dimension, unit: suffix, isBare: suffix === null });
  expect(quantity.value * quantity.scale).toBeCloseTo(base, 9);
});

test.each([
  ['seconds to milliseconds', toQuantity(2, 'seconds'), toQuantity(500, 'milliseconds'), 0.5],
  ['bytes to kilobytes', toQuantity(1, 'kilobytes'), toLiteral(2, 'MB'), 2000],
  ['a bare number to any unit', toQuantity(1, 'seconds'), toLiteral(3, null), 3],
  ['a percentage to a ratio', toQuantity(0.5, 'ratio'), toLiteral(40, '%'), 0.4],
  ['a percentage to a value without a unit', toUnitless(1), toLiteral(40, '%'), 0.4],
])('converts %s', (_, first, second, expected) => {
  expect(convertTo(first, second)).toBeCloseTo(expected, 9);
});

test.each([
  [toQuantity(1, 'seconds'), toLiteral(1, 'MiB'), 'cannot combine a time with a size'],
  [toQuantity(1, 'requests'), toLiteral(1, 's'), 'cannot combine a value in requests with a time'],
  [toUnitless(1), toLiteral(1, 's'), 'cannot combine a value without a unit with a time'],
  [toQuantity(1, 'seconds'), toLiteral(1, '%'), 'cannot combine a time with a ratio'],
])('rejects %j with %j', (first, second, message) => {
  expect(convertTo(first, second)).toBe(message);
});
