import { compareRuns } from '@org/analysis';
import { expect, test } from 'vitest';
import { createMetric } from '../../../../../packages/analysis/test/documents.ts';
import { buildComparison } from '../../../src/report/comparison/buildComparison.ts';
import { listComparisonPictures } from '../../../src/report/comparison/pictures.ts';
import { renderPage } from '../../../src/report/page.ts';
import {
  createModelRun,
  createTestRun,
  createTokenCounter,
  HOSTILE_TEXT,
} from '../../support/comparedRuns.ts';

const [base, slow, fast] = [createModelRun(100, 'a'), createModelRun(50, 'a'), createModelRun(200, 'a')];

test('shows the effect of a regression with its interval, and in the group of its cause', async () => {
  const { comparisons } = await buildComparison([compareRuns([base], [slow])]);
  const [row] = comparisons[0]!.effects[0]!.rows;
  expect(row).toMatchObject({ title: 'Output tokens per second', verdict: 'worse', change: -0.5 });
  expect(row!.noise).toBeGreaterThan(0);
  expect(row!.text).toMatch(/^worse -50% ±[\d.]+%$/);
  expect(comparisons[0]!.causes.groups[0]).toMatchObject({
    topic: 'throughput',
    leader: { metric: row!.metric },
  });
  expect(comparisons[0]!.strongest[0]).toBe(`Output tokens per second (server): ${row!.text}`);
});

test('says why a change has no interval', async () => {
  const createShort = (rate: number) =>
    createTestRun({
      'vllm:generation_tokens': createMetric('counter', [{ ...createTokenCounter(rate), timeslices: [] }]),
    });
  const page = await buildComparison([compareRuns([createShort(100)], [createShort(50)])]);
  const row = page.comparisons[0]!.effects[0]!.rows[0]!;
  expect([row.verdict, row.noise, row.text]).toEqual(['untested', null, 'untested, -50%: no timeslices']);
  expect(page.comparisons[0]!.causes.untested).toEqual([
    { reason: '1 row not tested: no timeslices', metrics: ['vllm:generation_tokens rate'] },
  ]);
});

test('draws two benchmarks over time with the difference between them', async () => {
  const { strips } = await buildComparison([compareRuns([base], [slow])]);
  const chart = strips!.columns[1].charts.find(({ id }) => id === 'strip-tokens')!;
  expect(chart.layers.map(({ form, name, color }) => [form, name, color])).toEqual([
    ['band', 'difference', 'grey'],
    ['line', 'run (1)', 'grey'],
    ['line', 'run (2)', 'client'],
  ]);
});

test('draws repeated runs as dots, and their range over time', async () => {
  const page = await buildComparison([
    compareRuns([base, createModelRun(102, 'a')], [slow, createModelRun(49, 'a')]),
  ]);
  expect(page.repeats[0]).toMatchObject({
    title: 'Output tokens per second',
    lines: [
      { color: 'grey', values: [100, 102] },
      { color: 'client', values: [50, 49] },
    ],
  });
  const chart = page.strips!.columns[1].charts.find(({ id }) => id === 'strip-tokens')!;
  expect(chart.layers.map(({ form }) => form)).toEqual(['band', 'line', 'band', 'line']);
});

test('states the correction for multiple tests of several comparisons', async () => {
  const comparisons = [slow, fast].map(run => compareRuns([base], [run]));
  const { notes } = await buildComparison(comparisons);
  expect(notes[0]).toMatch(
    /^2 comparisons with one baseline: Benjamini-Hochberg corrects the tests within each of them, not across them/,
  );
  expect((await buildComparison(comparisons.slice(0, 1))).notes.join()).not.toContain('one baseline');
});

test('draws more than four benchmarks as small charts with the baseline', async () => {
  const others = [slow, fast, createModelRun(90, 'a'), createModelRun(110, 'a')];
  const page = await buildComparison(others.map(run => compareRuns([base], [run])));
  expect(page.strips).toBeUndefined();
  const [row] = page.multiples;
  expect(row).toMatchObject({ id: 'multiple-tokens', title: 'Tokens generated per second' });
  expect(row!.charts.map(({ name }) => name)).toEqual(['run (2)', 'run (3)', 'run (4)', 'run (5)']);
  expect(row!.top).toBeGreaterThan(200);
  expect(row!.baseline.filter(value => value !== null).length).toBeGreaterThan(5);
  expect(renderPage(page).match(/class="drawing small"/g)).toHaveLength(4);
});

test('escapes names of runs and labels in the page and in pictures', async () => {
  const createRun = (rate: number) =>
    createTestRun(
      {
        'vllm:generation_tokens': createMetric('counter', [
          createTokenCounter(rate, { model: HOSTILE_TEXT }),
          createTokenCounter(100, { model: 'b' }),
        ]),
      },
      HOSTILE_TEXT,
    );
  const page = await buildComparison([compareRuns([createRun(1000)], [createRun(500)])]);
  const markup = renderPage(page).replace(/<script[\s\S]*?<\/script>/g, '');
  const pictures = listComparisonPictures(page, '').map(({ svg }) => svg);
  expect(pictures.length).toBeGreaterThan(1);
  for (const text of [markup, ...pictures]) expect(text).not.toContain('<img');
  expect(renderPage(page)).not.toContain('<img');
});
