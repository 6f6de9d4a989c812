import { describe, expect, it, test } from 'vitest';
import { profileExport, profileRecord, profileSweep, serverMetrics } from '../../src/generated/shapes.ts';
import { narrowIntegers } from '../../src/json/narrowIntegers.ts';
import { parseJson } from '../../src/json/parse.ts';
import type { Shape } from '../../src/schema/shape.ts';

/** An integer that a double cannot represent. The nearest double is `rounded`. */
const wide = '9007199254740993';
const exact = 9007199254740993n;
const rounded = 9007199254740992;

function narrowValue(text: string, shape: Shape): unknown {
  const { value } = parseJson(text);
  narrowIntegers(value as object, shape);
  return value;
}

const formatGauge = (series: string): string =>
  `{"metrics": {"m": {"type": "gauge", "description": "", "series": [${series}]}}}`;
const createGauge = (series: object): object => ({
  metrics: { m: { type: 'gauge', description: '', series: [series] } },
});

describe('integers in number fields of the schema are converted to doubles', () => {
  test.each<[string, string, Shape, unknown]>([
    [
      'a float',
      formatGauge(`{"stats": {"avg": ${wide}}}`),
      serverMetrics,
      createGauge({ stats: { avg: rounded } }),
    ],
    [
      'a count',
      `{"summary": {"endpoint_info": {"u": {"bytes_received": ${wide}}}}}`,
      serverMetrics,
      { summary: { endpoint_info: { u: { bytes_received: rounded } } } },
    ],
    [
      'buckets',
      `{"metrics": {"m": {"type": "histogram", "series": [{"buckets": {"1": ${wide}}}]}}}`,
      serverMetrics,
      { metrics: { m: { type: 'histogram', series: [{ buckets: { '1': rounded } }] } } },
    ],
    ['a metric block with any name', `{"mine": {"avg": ${wide}}}`, profileExport, { mine: { avg: rounded } }],
    [
      'a number and a list of numbers',
      `{"metrics": {"a": {"value": ${wide}}, "b": {"value": [1, ${wide}]}}}`,
      profileRecord,
      { metrics: { a: { value: rounded }, b: { value: [1, rounded] } } },
    ],
  ])('%s', (_, text, shape, expected) => {
    expect(narrowValue(text, shape)).toEqual(expected);
  });
});

describe('other integers stay exact', () => {
  test.each<[string, string, Shape, unknown]>([
    [
      'a time',
      '{"summary": {"profiling_start_ns": 5}}',
      serverMetrics,
      { summary: { profiling_start_ns: 5n } },
    ],
    [
      'user-defined data',
      `{"input_config": {"seed": ${wide}, "avg": ${wide}}}`,
      serverMetrics,
      { input_config: { seed: exact, avg: exact } },
    ],
    ['a seed', `{"run_info": {"random_seed": ${wide}}}`, profileExport, { run_info: { random_seed: exact } }],
    [
      'parameters of a sweep',
      `{"per_combination_metrics": [{"parameters": {"seed": ${wide}}}]}`,
      profileSweep,
      { per_combination_metrics: [{ parameters: { seed: exact } }] },
    ],
    [
      'times and sizes in a list',
      `{"trace_data": {"request_chunks": [[${wide}, 7]]}}`,
      profileRecord,
      { trace_data: { request_chunks: [[exact, 7]] } },
    ],
    ['an unknown field', `{"mine": ${wide}}`, serverMetrics, { mine: exact }],
    [
      'an unknown field next to known ones',
      formatGauge(`{"stats": {"avg": 1, "mine": ${wide}}}`),
      serverMetrics,
      createGauge({ stats: { avg: 1, mine: exact } }),
    ],
    [
      'everything below an unknown field with any name',
      `{"mine": {"avg": ${wide}, "list": [${wide}, {"count": ${wide}}]}}`,
      serverMetrics,
      { mine: { avg: exact, list: [exact, { count: exact }] } },
    ],
    [
      'an object of a profile export that is not a metric block',
      `{"mine": {"count": ${wide}}}`,
      profileExport,
      { mine: { count: exact } },
    ],
    [
      'a metric of unknown type',
      `{"metrics": {"m": {"type": "mine", "series": [{"stats": {"avg": ${wide}}}]}}}`,
      serverMetrics,
      { metrics: { m: { type: 'mine', series: [{ stats: { avg: exact } }] } } },
    ],
  ])('%s', (_, text, shape, expected) => {
    expect(narrowValue(text, shape)).toEqual(expected);
  });
});

it('does not change prototypes', () => {
  const text = `{"metrics": {"__proto__": {"type": "gauge", "series": [{"stats": {"avg": ${wide}}}]}}, "__proto__": ${wide}}`;
  const value = narrowValue(text, serverMetrics) as { readonly metrics: object };
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.entries(value).at(-1)).toEqual(['__proto__', exact]);
  expect(Object.entries(value.metrics)).toEqual([
    ['__proto__', { type: 'gauge', series: [{ stats: { avg: rounded } }] }],
  ]);
});
