import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawTrendChart, type TrendChart } from '../../src/svg/trendChart.ts';
import { findOutside, listNumbers } from '../support/drawings.ts';

const number = fc.oneof(
  fc.constant(0),
  fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
  fc.double({ min: -1e6, max: 0, noNaN: true }),
);

const chart = fc
  .record({
    values: fc.array(fc.option(number), { minLength: 1, maxLength: 200 }),
    at: fc.nat(199),
    level: number,
    width: fc.double({ min: 0, max: 1e6, noNaN: true }),
    hasLine: fc.boolean(),
  })
  .map(({ values, at, level, width, hasLine }): TrendChart => {
    const position = Math.min(at, values.length - 1);
    return {
      label: 'Latency',
      color: 'client',
      unit: 'ms',
      values,
      ranges: values.map(value => (value === null ? null : [value - width, value + width])),
      levels: [{ from: 0, to: position, mean: level, low: level - width, high: level + width }],
      changes: [{ at: position, text: '▲ worse +12.3%', tone: 'bad' }],
      settings: [position],
      ...(hasLine && { line: [level, level + width] as const }),
    };
  });

test('draws any values with finite numbers, and labels inside', () => {
  fc.assert(
    fc.property(chart, data => {
      const svg = drawTrendChart(data);
      expect(svg).not.toMatch(/NaN|Infinity/);
      expect(listNumbers(svg).every(Number.isFinite)).toBe(true);
      expect(findOutside(svg, 400, 150)).toEqual([]);
    }),
  );
});

const EMPTY: TrendChart = {
  label: 'x',
  color: 'client',
  unit: 'ms',
  values: [200, 201, 202],
  ranges: [null, null, null],
  levels: [],
  changes: [],
  settings: [],
};
const readTicks = (svg: string): string[] =>
  [...svg.matchAll(/class="tick end"[^>]*>([^<]*)</g)].map(([, text]) => text!);

test.each<[string, readonly number[], boolean]>([
  ['values that differ little are shown without 0', [200, 201, 202], false],
  ['values that differ by more than half are shown from 0', [100, 150, 220], true],
])('%s', (_, values, hasZero) => {
  expect(readTicks(drawTrendChart({ ...EMPTY, values })).some(text => /^0\b/.test(text))).toBe(hasZero);
});

test('labels of neighboring changes are in different rows', () => {
  const changes = [1, 2].map(at => ({ at, text: '▲ worse +10%', tone: 'bad' as const }));
  const svg = drawTrendChart({ ...EMPTY, changes });
  const rows = [...svg.matchAll(/class="mark[^"]*" x="[^"]*" y="(\d+)"/g)].map(([, y]) => y);
  expect(new Set(rows).size).toBe(2);
});
