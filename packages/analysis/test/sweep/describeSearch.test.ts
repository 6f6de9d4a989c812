import { readFileSync } from 'node:fs';
import type { SearchHistory } from '@org/formats';
import { expect, test } from 'vitest';
import { describeSearch } from '../../src/sweep/describeSearch.ts';

const SEARCH: SearchHistory = JSON.parse(
  readFileSync(new URL('../../../formats/test/files/valid/search-history.json', import.meta.url), 'utf8'),
);
const BOUNDARY = SEARCH.boundary_summary!;

test('describes the boundary, its interval and the evidence', () => {
  const { headline, facts, warnings } = describeSearch(SEARCH);
  expect(headline).toBe(
    'Highest concurrency within the limits: 1; at 2, the limit time_to_first_token.p95 < 200 fails',
  );
  expect(Object.fromEntries(facts.map(({ name, text }) => [name, text]))).toMatchObject({
    Estimate: '1.5, 95% confidence interval from 1.2 to 1.9',
    'Highest output_token_throughput avg': '81.5 at concurrency 1',
    '2 runs': '1 ✓, 2 ✗* (*: ended early, because a limit had certainly failed)',
    'Not tested': 'between 2 and 64',
  });
  expect(warnings).toEqual([]);
});

test.each<[string, Partial<SearchHistory>, RegExp]>([
  [
    'no value within the limits',
    { boundary_summary: { ...BOUNDARY, feasible_max: null } },
    /^Already the lowest concurrency exceeds/,
  ],
  [
    'no value beyond the limits',
    { boundary_summary: { ...BOUNDARY, infeasible_min: null }, convergence_reason: 'no_failure_in_range' },
    /^All limits hold up to the highest concurrency: 1; the boundary is above it/,
  ],
  [
    'an interrupted search without a failure',
    { boundary_summary: { ...BOUNDARY, infeasible_min: null }, convergence_reason: 'cancelled' },
    /higher values were not tested/,
  ],
  [
    'a contradiction',
    { boundary_summary: { ...BOUNDARY, is_monotonic: false } },
    /^No boundary: concurrency 2 exceeds/,
  ],
  ['a search without a boundary', { boundary_summary: null }, /^Best parameters found: concurrency 1/],
  ['a search without results', { boundary_summary: null, best_trials: null }, /^No run was measured/],
])('describes %s', (_, changes, expected) => {
  expect(describeSearch({ ...SEARCH, ...changes }).headline).toMatch(expected);
});

test('a partial result has a warning', () => {
  expect(describeSearch({ ...SEARCH, is_complete: false }).warnings).toEqual([
    'The search was not completed: the result covers the runs so far.',
  ]);
});

test('an interval that reaches the end of the tested range is open', () => {
  const open = { ...BOUNDARY.interval!, is_high_open: true };
  const { facts } = describeSearch({ ...SEARCH, boundary_summary: { ...BOUNDARY, interval: open } });
  expect(facts[0]!.text).toBe('1.5, 95% confidence interval from 1.2');
});

test.each([
  { name: 'narrow', low: 97, high: 104, isOpen: false, hasWarning: false },
  { name: 'wide', low: 60, high: 130, isOpen: false, hasWarning: true },
  { name: 'open', low: 97, high: 104, isOpen: true, hasWarning: true },
])('an interval that is $name', ({ low, high, isOpen, hasWarning }) => {
  const interval = { low, high, level: 0.95, is_low_open: false, is_high_open: isOpen };
  const { warnings } = describeSearch({
    ...SEARCH,
    config: { ...SEARCH.config, precision: 0.05 },
    convergence_reason: 'precision_reached',
    boundary_summary: { ...BOUNDARY, estimate: 100, interval },
  });
  expect(warnings.filter(text => text.includes('confirm the estimate to ±5%'))).toHaveLength(
    hasWarning ? 1 : 0,
  );
});

test('a run above the boundary that happened to be within the limits is not the best', () => {
  const lucky = {
    iteration_idx: 1,
    objective_values: [99],
    variation_values: { [BOUNDARY.swept_dim_path]: 2 },
  };
  const { facts } = describeSearch({ ...SEARCH, best_trials: [lucky] });
  expect(facts).toContainEqual({
    name: 'Highest output_token_throughput avg',
    text: '81.5 at concurrency 1',
  });
});

test('describes the boundary of each tier', () => {
  const tier = { convergence_status: 'converged' } as const;
  const { facts } = describeSearch({
    ...SEARCH,
    tier_results: [
      { ...tier, label: 'fast', bracket_lower: 4, bracket_upper: 5, binding_constraint: { limit: 'a < 5' } },
      { ...tier, label: 'slow', bracket_lower: 64, bracket_upper: null },
      {
        ...tier,
        label: 'all',
        bracket_lower: 64,
        bracket_upper: null,
        convergence_reason: 'no_failure_in_range',
      },
      { ...tier, label: 'none', bracket_lower: null, bracket_upper: 1 },
    ],
  });
  expect(facts.slice(0, 4)).toEqual([
    { name: 'Tier fast', text: 'concurrency up to 4 is within the limits; at 5, the limit a < 5 fails' },
    { name: 'Tier slow', text: 'concurrency up to 64 is within the limits; higher values were not tested' },
    {
      name: 'Tier all',
      text: 'concurrency up to 64 is within the limits, the highest value; the boundary is above it',
    },
    { name: 'Tier none', text: 'no concurrency is within the limits; at 1, a limit fails' },
  ]);
});
