import { describe, expect, test } from 'vitest';
import { renderAggregate, renderSweep, selectColumns } from '../../src/sweep/screen.ts';
import { AGGREGATE, SWEEP } from '../support/sweepDocuments.ts';

const SCREEN = { width: 100, color: false };

test('renders a line per variation of a sweep', () => {
  expect(renderSweep(SWEEP, SCREEN).split('\n')).toEqual([
    ' omitted concurrency_16/run_0002: server went away',
    '   Variation       runs               req/s         latency p99',
    ' ● concurrency_4      2        8.125 ±1.588    490 ms ±127.1 ms',
    ' ● concurrency_8      2        15.63 ±1.588    532 ms ±152.5 ms',
    '   concurrency_16     1               15.25             1.012 s',
    ' ●: no other variation has higher mean requests/s and a lower mean request_latency_p99',
    " ±: half the width of the 95% confidence interval of the mean (Student's t)",
  ]);
});

test('explains dashes of variations without a successful run', () => {
  const [first, ...others] = SWEEP.per_combination_metrics;
  const variations = [{ ...first!, num_successful_runs: 0, metrics: {} }, ...others];
  const text = renderSweep({ ...SWEEP, per_combination_metrics: variations }, SCREEN);
  expect(text).toMatch(/concurrency_4 +0 +– +–$/m);
  expect(text).toContain(' –: all runs failed, or a search ended them early');
});

test('renders the failed requests of each variation, including failed runs', () => {
  const counts = [
    { succeeded: 200, failed: 0, cancelled: 3 },
    { succeeded: 88, failed: 12, cancelled: 0 },
    { succeeded: 0, failed: 50, cancelled: 0 },
  ];
  const variations = SWEEP.per_combination_metrics.map((variation, i) => ({
    ...variation,
    requests: counts[i]!,
  }));
  const lines = renderSweep({ ...SWEEP, per_combination_metrics: variations }, SCREEN).split('\n');
  expect(lines.slice(1, 5).map(line => line.slice(17, 35).trim().split(/ {2,}/))).toEqual([
    ['runs', 'failed'],
    ['2', '0'],
    ['2', '12 (12%)'],
    ['1', '50 (100%)'],
  ]);
});

test('lists failed requests of repeated runs first', () => {
  const requests = { succeeded: 260, failed: 37, cancelled: 3 };
  const metadata = { ...AGGREGATE.metadata, requests };
  expect(renderAggregate({ ...AGGREGATE, metadata }, SCREEN).split('\n')[0]).toBe(
    ' 37 of 300 requests failed (12.3%)',
  );
});

test('renders the interval of each metric of repeated runs', () => {
  const text = renderAggregate(AGGREGATE, SCREEN);
  expect(text).toMatch(/^ 3 runs\s+mean\s+±\s+± %\s+min\s+max$/m);
  expect(text).toMatch(/^ Request Latency avg\s+125\.3 ms\s+12\.74 ms\s+10\.2%\s+120 ms\s+130\.3 ms$/m);
  expect(text).toContain('4.30 standard errors, from 3 runs');
  expect(text).toContain('omitted run_0003: server went away');
});

test.each([48, 60, 80, 120])('fits %i columns', width => {
  const tables = [
    renderSweep(SWEEP, { width, color: false }),
    ...(width >= 60 ? [renderAggregate(AGGREGATE, { width, color: false })] : []),
  ];
  const rows = tables.flatMap(text => text.split('\n'));
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(width);
});

test('selects as many columns as fit, but at least one', () => {
  const listShortNames = (width?: number): string[] =>
    selectColumns(SWEEP.per_combination_metrics, width).map(({ short }) => short);
  expect(listShortNames(0)).toEqual(['req/s']);
  expect(listShortNames(40)).toEqual(['req/s', 'latency p99']);
  expect(listShortNames()).toEqual(['req/s', 'latency p99']);
});

describe('without intervals', () => {
  test.each([
    [1, 1, 'one run of each variation; set --num-profile-runs to 2 or more'],
    [3, 1, 'fewer than two of 3 runs of each variation were successful'],
    [3, 0, 'no run was successful'],
  ])('explains the reason with %i runs per variation, %i of them successful', (trials, successful, text) => {
    const variations = SWEEP.per_combination_metrics.map(({ metrics, ...variation }) => ({
      ...variation,
      num_successful_runs: successful,
      metrics: Object.fromEntries(
        Object.entries(successful === 0 ? {} : metrics).map(([name, { mean, unit }]) => [
          name,
          { mean, unit },
        ]),
      ),
    }));
    const metadata = { ...SWEEP.metadata, num_trials: trials };
    expect(renderSweep({ ...SWEEP, metadata, per_combination_metrics: variations }, SCREEN)).toContain(text);
  });
});

test('escapes names of variations', () => {
  const [first] = SWEEP.per_combination_metrics;
  const hostile = { ...first!, variation_label: 'x\u001b[31m' };
  expect(renderSweep({ ...SWEEP, per_combination_metrics: [hostile] }, SCREEN)).not.toContain('\u001b');
});
