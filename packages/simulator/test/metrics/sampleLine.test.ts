import { describe, expect, test } from 'vitest';
import {
  CPP_STYLE,
  type ExpositionStyle,
  PYTHON_STYLE,
  RUST_STYLE,
} from '../../src/metrics/expositionStyle.ts';
import { Registry } from '../../src/metrics/registry.ts';
import { createCreationLine, createSampleLines, escapeLabelValue } from '../../src/metrics/sampleLine.ts';

const registry = new Registry({ getTimeS: () => 1000, truth: undefined });

/** Lists the text before the value of each sample line, for the first series of a family. */
function listPrefixes(
  family: Parameters<typeof createSampleLines>[0],
  style: ExpositionStyle = PYTHON_STYLE,
): string[] {
  return createSampleLines(family, family.series[0]!, style).map(({ prefix }) => prefix.trimEnd());
}

test('a counter has the suffix _total unless the server omits it', () => {
  const [common, triton] = [registry.counter('a', ''), registry.counter('b', '', { omitsTotal: true })];
  common.labels({ x: '1' });
  triton.labels({});
  expect([listPrefixes(common), listPrefixes(triton)]).toEqual([['a_total{x="1"}'], ['b']]);
});

test('an info family has the suffix _info', () => {
  registry.info('build', '', { version: '1' });
  expect(listPrefixes(registry.families.at(-1)!)).toEqual(['build_info{version="1"}']);
});

describe('a histogram', () => {
  const family = registry.histogram('h', '', [0.5, 2]);
  const histogram = family.labels({ model: 'm' });

  test.each<[string, ExpositionStyle, string[]]>([
    [
      'Python',
      PYTHON_STYLE,
      [
        'h_bucket{le="0.5",model="m"}',
        'h_bucket{le="2.0",model="m"}',
        'h_bucket{le="+Inf",model="m"}',
        'h_count{model="m"}',
        'h_sum{model="m"}',
      ],
    ],
    [
      'Rust',
      RUST_STYLE,
      [
        'h_bucket{model="m",le="0.5"}',
        'h_bucket{model="m",le="2"}',
        'h_bucket{model="m",le="+Inf"}',
        'h_sum{model="m"}',
        'h_count{model="m"}',
      ],
    ],
  ])('has the lines of the %s client', (_, style, prefixes) => {
    expect(listPrefixes(family, style)).toEqual(prefixes);
  });

  test('has cumulative buckets whose values are read when the lines are written', () => {
    const lines = createSampleLines(family, histogram, PYTHON_STYLE);
    for (const value of [0.1, 1, 3]) histogram.observe(value);
    expect(lines.map(({ read }) => read())).toEqual([1, 2, 3, 3, 4.1]);
  });
});

test('a summary has a line per quantile', () => {
  const family = registry.summary('s', '', [0.5, 0.99]);
  family.labels({}).observe(7);
  const lines = createSampleLines(family, family.series[0]!, CPP_STYLE);
  expect(lines.map(({ prefix, read }) => prefix + read())).toEqual([
    's_count 1',
    's_sum 7',
    's{quantile="0.5"} 7',
    's{quantile="0.99"} 7',
  ]);
});

test('counters have a creation time; gauges and metrics of the client library have none', () => {
  const counter = registry.counter('c', '');
  const gauge = registry.gauge('g', '');
  const client = registry.counter('python_gc', '', { hasCreationTime: false });
  const lines = [counter, gauge, client].map(family => createCreationLine(family, family.labels({})));
  expect(lines.map(line => line?.prefix)).toEqual(['c_created ', undefined, undefined]);
  expect(lines[0]!.read()).toBeCloseTo(1000, 2);
});

test.each([
  ['plain', 'plain'],
  ['a"b', 'a\\"b'],
  ['a\nb', 'a\\nb'],
  ['a\\b', 'a\\\\b'],
  ['\\n', '\\\\n'],
  ['', ''],
])('escapes the label value %j', (value, escaped) => {
  expect(escapeLabelValue(value)).toBe(escaped);
});
