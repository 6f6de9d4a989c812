import { expect, test } from 'vitest';
import { renderComparisonMarkdown } from '../../src/compare/markdown.ts';
import { compareHostileRuns, compareRenamedModels } from '../support/comparedRuns.ts';

const hostileComparison = compareHostileRuns();

test('starts with the result and marks significant changes', () => {
  const text = renderComparisonMarkdown(hostileComparison, false);
  expect(text).toMatch(/^### Server metrics: 1 worse\n/);
  expect(text).toContain('| **-50%** |');
});

test('escapes names, and keeps the number of columns', () => {
  const text = renderComparisonMarkdown(hostileComparison, false);
  for (const markup of ['\u001b', '<img', '@all']) expect(text).not.toContain(markup);
  const rows = text.split('\n').filter(line => line.startsWith('|'));
  expect(new Set(rows.map(line => line.split('|').length)).size).toBe(1);
});

test('collapses rows that are neither changes nor key metrics', () => {
  const unchangedRow = { ...hostileComparison.rows[0]!, isKey: false, verdict: 'unchanged' as const };
  const largeComparison = {
    ...hostileComparison,
    rows: [...hostileComparison.rows, ...Array.from({ length: 60 }, () => unchangedRow)],
  };
  expect(renderComparisonMarkdown(largeComparison, false)).toContain(
    '<details><summary>50 more rows, and 10 not listed</summary>',
  );
  expect(renderComparisonMarkdown(largeComparison, true)).not.toContain('<details>');
});

test('suggests an option that matches renamed series', () => {
  expect(renderComparisonMarkdown(compareRenamedModels(), false)).toContain(
    'to compare them: --ignore-label model',
  );
});
