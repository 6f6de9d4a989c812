import { expect, test } from 'vitest';
import { parseRule } from '../../src/check/rules.ts';
import { readServerLimit } from '../../src/check/serverLimit.ts';

const read = (rule: string) => readServerLimit(parseRule(rule, 'test').expression);

test.each([
  ['max(vllm:num_requests_waiting) < 5', { metric: 'vllm:num_requests_waiting', operator: '<', max: 5 }],
  ['max(queue.max) <= 0.9', { metric: 'queue', operator: '<=', max: 0.9 }],
])('reads %s', (rule, expected) => {
  expect(read(rule)).toEqual(expected);
});

test.each([
  'max(queue) > 5',
  'max(queue.avg) < 5',
  'max(queue{model="a"}) < 5',
  'max(queue) < 5s',
  'max(queue) < 5 and max(other) < 5',
  'sum(queue.max) < 5',
  'queue.max < 5',
  'max(queue) < max(other)',
])('does not read %s', rule => {
  expect(read(rule)).toBeUndefined();
});
