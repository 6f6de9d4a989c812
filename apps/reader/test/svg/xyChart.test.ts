import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MARKER_SHAPES } from '../../src/svg/markers.ts';
import { drawShareBars, measureShareBars } from '../../src/svg/shareBars.ts';
import { drawXyChart, listTargets } from '../../src/svg/xyChart.ts';
import type { XyChart } from '../../src/svg/xyChartModel.ts';
import { findOutside, findOverlaps, listNumbers } from '../support/drawings.ts';

const value = fc.oneof(
  fc.constant(0),
  fc.constant(Number.NaN),
  fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
  fc.integer({ min: 0, max: 1e4 }),
);
const half = fc.option(fc.double({ min: 0, max: 1e13, noNaN: true }));
const point = fc.record({ x: value, y: value, xHalf: half, yHalf: half, isRinged: fc.boolean() });
const size = fc.record({
  width: fc.integer({ min: 280, max: 2000 }),
  height: fc.integer({ min: 120, max: 400 }),
});

const chart = fc
  .record({
    points: fc.array(point, { maxLength: 30 }),
    isLog: fc.boolean(),
    isArea: fc.boolean(),
    limit: fc.option(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), { nil: undefined }),
    marker: fc.constantFrom(...MARKER_SHAPES),
  })
  .map(
    ({ points, isLog, isArea, limit, marker }): XyChart => ({
      id: 'a',
      title: 'Latency, ms',
      help: '',
      x: { name: 'Requests/s', isLog },
      y: { name: '', isLog },
      series: [
        {
          name: 's',
          color: 'client',
          marker,
          line: 'solid',
          hasArrow: true,
          isArea,
          points: points.map((each, i) => ({ ...each, label: `load ${i}`, text: `point ${i}` })),
        },
      ],
      ...(limit !== undefined && { limits: [{ value: limit, name: 'limit' }], hasZone: true }),
    }),
  );

test('a chart of points has only finite numbers, and labels inside the drawing that do not overlap', () => {
  fc.assert(
    fc.property(chart, size, (data, { width, height }) => {
      const svg = drawXyChart(data, { width, height });
      expect(svg).not.toMatch(/NaN|Infinity|undefined|null/);
      expect(findOverlaps(svg)).toEqual([]);
      expect(findOutside(svg, width, height)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

const SIZE = { width: 600, height: 300 };
const createChart = (points: XyChart['series'][number]['points']): XyChart => ({
  id: 'a',
  title: 'a',
  help: '',
  x: { name: '' },
  y: { name: '' },
  series: [{ name: '', color: 'client', marker: 'circle', line: 'solid', hasArrow: true, points }],
});

test('intervals do not widen the axes; those that leave the chart end with a caret', () => {
  const points = [
    { x: 1, y: 100, text: 'a' },
    { x: 2, y: 200, text: 'b' },
  ];
  const wide = points.map(each => ({ ...each, xHalf: 50, yHalf: 1000 }));
  const narrow = points.map(each => ({ ...each, xHalf: 0.1, yHalf: 10 }));
  const place = (chart: XyChart): number[][] => listTargets(chart, SIZE).map(({ left, top }) => [left, top]);
  expect(place(createChart(wide))).toEqual(place(createChart(points)));
  const countCarets = (chart: XyChart): number =>
    (/class="caret[^"]*" d="([^"]*)"/.exec(drawXyChart(chart, SIZE))?.[1]?.match(/M/g) ?? []).length;
  expect(countCarets(createChart(wide))).toBe(8);
  expect(countCarets(createChart(narrow))).toBe(0);
});

test('the line connects points in their order, and its arrow is at the last one', () => {
  const svg = drawXyChart(
    createChart([
      { x: 10, y: 100, text: 'a' },
      { x: 50, y: 200, text: 'b' },
      { x: 30, y: 400, text: 'c' },
    ]),
    SIZE,
  );
  const [, steps = ''] = /class="line[^"]*" d="M[\d.]+ [\d.]+l([^"]*)"/.exec(svg)!;
  const dx = listNumbers(steps).filter((_, i) => i % 2 === 0);
  expect(dx[0]).toBeGreaterThan(0);
  expect(dx[1]).toBeLessThan(0);
  const targets = listTargets(createChart([{ x: 30, y: 400, text: 'c' }]), SIZE);
  expect(targets.map(({ text }) => text)).toEqual(['c']);
  expect(svg).toContain('class="arrow');
});

test('points without a value are not drawn, and do not break the others', () => {
  const svg = drawXyChart(
    createChart([
      { x: 1, y: Number.NaN, text: 'a' },
      { x: 2, y: 5, text: 'b' },
    ]),
    SIZE,
  );
  expect(svg.match(/a4\.5 4\.5 0 1 0 9 0/g)).toHaveLength(1);
});

test('share bars have only finite numbers, and all texts inside', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const bar = fc.record({
    name: fc.string({ maxLength: 60 }),
    share: part,
    text: fc.constant('60% ok, 40% late'),
  });
  fc.assert(
    fc.property(
      fc.array(bar, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 280, max: 1400 }),
      (bars, width) => {
        const data = {
          title: 't',
          bars: bars.map(({ name, share, text }) => ({
            name,
            text,
            parts: [
              { name: 'ok', color: 'client' as const, share },
              { name: 'late', color: 'grey' as const, share: 1 - share },
            ],
          })),
        };
        const svg = drawShareBars(data, width);
        expect(svg.replace(/<text.*?<\/text>|aria-label="[^"]*"/gs, '')).not.toMatch(
          /NaN|Infinity|undefined/,
        );
        for (const [, x = '', w = ''] of svg.matchAll(/<rect [^>]*x="([^"]*)"[^>]*width="([^"]*)"/g))
          expect(Number(x) + Number(w)).toBeLessThanOrEqual(width + 0.2);
        expect(measureShareBars(data)).toBe(bars.length * 18 + 6);
      },
    ),
  );
});
