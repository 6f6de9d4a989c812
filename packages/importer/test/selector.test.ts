import { expect, it } from 'vitest';
import { parseSelector } from '../src/selector.ts';

it.each([
  ['up', [['=', '__name__', 'up']]],
  ['{job="vllm"}', [['=', 'job', 'vllm']]],
  [
    ` vllm:requests_total{job=~"vllm.*", pod!='a', x !~ \`b\\d\` ,} `,
    [
      ['=', '__name__', 'vllm:requests_total'],
      ['=~', 'job', 'vllm.*'],
      ['!=', 'pod', 'a'],
      ['!~', 'x', 'b\\d'],
    ],
  ],
  ['{a="x\\"y\\n,}"}', [['=', 'a', 'x"y\n,}']]],
])('parses %s', (text, matchers) => {
  expect(parseSelector(text).matchers.map(({ operator, name, value }) => [operator, name, value])).toEqual(
    matchers,
  );
});

it.each([
  ['', 'at least one label'],
  ['{}', 'at least one label'],
  ['{job=~".*"}', 'at least one label'],
  ['{job!="a"}', 'at least one label'],
  ['rate(up[5m])', 'expected a metric name'],
  ['{job="a"', 'expected a metric name'],
  ['{job=a}', 'expected a metric name'],
  ['{job="a" pod="b"}', 'expected a metric name'],
])('rejects %s', (text, message) => {
  expect(() => parseSelector(text)).toThrow(message);
});
