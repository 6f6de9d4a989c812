import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunSet } from '@org/analysis';
import type { SearchHistory } from '@org/formats';
import { afterAll, describe, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { buildSweepData } from '../../src/sweep/model/buildSweepData.ts';
import { createChoice } from '../../src/sweep/model/choice.ts';
import { buildSweepView, listWideCharts } from '../../src/sweep/model/sections.ts';
import type { SearchData } from '../../src/sweep/model/sweepData.ts';
import { runReader, writeTestFile } from '../support/runReader.ts';
import { writeSweptRun } from '../support/sweptRuns.ts';

/** A search of a simulated server: 21 runs with 30 requests each, 6 of them ended early. */
const FIXTURE = fileURLToPath(new URL('../files/search', import.meta.url));
const SEARCH: SearchHistory = JSON.parse(readFileSync(join(FIXTURE, 'search_history.json'), 'utf8'));
const SWEEP = JSON.parse(
  readFileSync(join(FIXTURE, 'sweep_aggregate/profile_export_aiperf_sweep.json'), 'utf8'),
);
const HEADLINE =
  'Highest concurrency within the limits: 16; at 17, the limit time_to_first_token.p95 < 60 fails';

const { path: folder, remove } = createTempFolder('search');
afterAll(remove);

function build(changes: Partial<SearchHistory> = {}): SearchData {
  const runSet: RunSet = { name: 's', kind: 'sweep', sweep: SWEEP, search: { ...SEARCH, ...changes } };
  return buildSweepData(runSet, { repeats: [] }).search!;
}

describe('of a search, the page', () => {
  test('states the boundary, its interval, and why the search ended', () => {
    const { tone, sentence, facts } = build().conclusion;
    expect([tone, sentence]).toEqual(['good', `${HEADLINE}.`]);
    expect(facts).toContain('Estimate: 16.02, 95% confidence interval up to 19.37');
    expect(facts).toContain('Highest output_token_throughput avg: 4105 at concurrency 16');
    expect(facts.at(-1)).toMatch(/^Search: max-concurrency-under-sla, planner isotonic, ended/);
  });

  test.each<[string, Partial<SearchHistory>, string]>([
    ['an interrupted search', { is_complete: false }, 'warning'],
    [
      'a search without a value within the limits',
      { boundary_summary: { ...SEARCH.boundary_summary!, feasible_max: null } },
      'warning',
    ],
    [
      'contradicting results',
      { boundary_summary: { ...SEARCH.boundary_summary!, is_monotonic: false } },
      'warning',
    ],
    ['a search of several parameters', { boundary_summary: null }, 'unknown'],
  ])('has another tone for %s', (_, changes, tone) => {
    expect(build(changes).conclusion.tone).toBe(tone);
  });

  test('shows each run with its verdict and the values of its limits', () => {
    const { parameters, probes } = build();
    expect(parameters).toEqual(['concurrency']);
    expect(probes).toHaveLength(21);
    expect(probes[0]).toEqual({
      run: 1,
      values: ['1'],
      verdict: 'passed',
      detail: 'time_to_first_token.p95 < 60: found 22.1563 ms, required < 60 ms',
    });
    expect(probes[1]).toMatchObject({ values: ['2'], verdict: 'failed' });
    expect(probes[1]!.detail).toMatch(/^ended early: 3 of 30 requests/);
  });

  test('draws the limited metric of each run, the limit, the estimate and its interval', () => {
    const [chart, ...others] = build().charts;
    expect(others).toEqual([]);
    expect(chart!.limits).toEqual([{ value: 60, name: 'limit 60' }]);
    const series = Object.fromEntries(chart!.series.map(({ name, points }) => [name, points]));
    expect(Object.entries(series).map(([name, points]) => [name, points.length])).toEqual([
      ['within the limit', 9],
      ['outside of the limit', 6],
      ['outside of the limit, ended early', 6],
      ['95% confidence interval', 2],
      ['estimate of the boundary', 1],
    ]);
    expect(series['within the limit']![0]).toMatchObject({
      x: 1,
      y: 22.156268150000002,
      text: 'run 1, concurrency 1: found 22.1563 ms, required < 60 ms',
    });
    expect(series['outside of the limit, ended early']!.every(({ y }) => y === 60)).toBe(true);
    expect(series['estimate of the boundary']![0]!.x).toBeCloseTo(16.016, 3);
  });

  test('has no chart of limits for several parameters, nor of rules without values', () => {
    const [dimension] = SEARCH.config.search_space;
    const config = { ...SEARCH.config, search_space: [dimension!, { path: 'isl', lo: 1, hi: 9 }] };
    expect(build({ config }).charts).toEqual([]);
    const iterations = SEARCH.iterations.map(({ limits: _, ...iteration }) => iteration);
    expect(build({ iterations }).charts).toEqual([]);
  });

  test('states the result of the search until the reader chooses a limit', () => {
    const runSet: RunSet = { name: 's', kind: 'sweep', sweep: SWEEP, search: SEARCH };
    const data = buildSweepData(runSet, { repeats: [] });
    const choice = createChoice(data);
    const view = buildSweepView(data, choice);
    expect(view.conclusion.sentence).toBe(`${HEADLINE}.`);
    expect(listWideCharts(view)).toContain('limit-1');
    const limits = [{ metric: 'time_to_first_token_p99', value: 50 }];
    expect(buildSweepView(data, { ...choice, limits }).conclusion.label).toMatch(/^Best within TTFT p99/);
  });

  test('is written by read report, with a row for each run', async () => {
    const copy = join(folder, 'page');
    cpSync(FIXTURE, copy, { recursive: true });
    const { code, err } = await runReader(['report', copy, '--output', join(folder, 'page.html')]);
    expect([code, err]).toEqual([0, '']);
    const html = readFileSync(join(folder, 'page.html'), 'utf8');
    expect(html.includes(HEADLINE.replace('<', '&#60;'))).toBe(true);
    expect(html.includes('data-chart="limit-1"')).toBe(true);
    const [table = ''] = /<table id="probe-table".*?<\/table>/s.exec(html) ?? [];
    expect(table.match(/<tr>/g)).toHaveLength(22);
    expect(table).toContain('✗ outside of the limits');
  });
});

test.each([
  ['for a terminal', [], /^ Highest concurrency within the limits: 16; at 17, the limit/m],
  ['as Markdown', ['--markdown'], /^\*\*Highest concurrency within the limits: 16; at 17/m],
  ['as JSON', ['--json'], /"convergence_reason": "precision_reached"/],
])('read summary states the result of a search %s', async (_, options, expected) => {
  const { code, out, err } = await runReader(['summary', FIXTURE, ...options]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(expected);
});

test('the Markdown lists the estimate, the verdict of each run, and ranges that were not tested', async () => {
  const { out } = await runReader(['summary', FIXTURE, '--markdown']);
  expect(out).toContain('- Estimate: 16.02, 95% confidence interval up to 19.37\n');
  expect(out).toContain('16 ✓✓✗, 32 ✗\\*, 24 ✗\\*');
  expect(out).toContain('- Not tested: between 32 and 64\n');
});

test('read compare omits runs that a search has ended early', async () => {
  const search = join(folder, 'compared');
  for (const concurrency of [1, 2]) writeSweptRun(search, concurrency, [100, 110, 120]);
  const run = { iteration_idx: 0, variation_values: { concurrency: 2 }, feasible: false };
  const iterations = [{ ...run, run: 'concurrency_2', ended_early: '6 of 100 requests' }];
  writeTestFile(search, 'search_history.json', JSON.stringify({ ...SEARCH, iterations }));
  const { code, out } = await runReader(['compare', search, search]);
  expect(code).toBe(0);
  expect(out).toContain('concurrency_1');
  expect(out).not.toContain('concurrency_2');
});
