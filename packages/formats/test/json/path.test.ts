import { expect, it } from 'vitest';
import { formatPath } from '../../src/json/path.ts';

it.each([
  [[], '.'],
  [['summary', 'start_time'], '.summary.start_time'],
  [['metrics', 'vllm:x', 'series', 0], '.metrics["vllm:x"].series[0]'],
  [['buckets', '0.5'], '.buckets["0.5"]'],
  [['a"b'], '.["a\\"b"]'],
  [['__proto__'], '.__proto__'],
  [[0], '.[0]'],
  [['a'.repeat(500)], `.["${'a'.repeat(200)}…"]`],
])('formats %j as %s', (path, text) => {
  expect(formatPath(path)).toBe(text);
});
