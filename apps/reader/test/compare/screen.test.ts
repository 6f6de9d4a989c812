import { compareRuns } from '@org/analysis';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { createGauge, createMetric } from '../../../../packages/analysis/test/documents.ts';
import { renderComparisonScreen } from '../../src/compare/screen.ts';
import { createScreen } from '../../src/screen.ts';
import {
  compareHostileRuns,
  compareRenamedModels,
  createModelRun,
  createTestRun,
} from '../support/comparedRuns.ts';

const hostileComparison = compareHostileRuns();

function measureWidth(text: string): number {
  return Math.max(...text.split('\n').map(line => stringWidth(line)));
}

test('starts with the result', () => {
  const screen = createScreen({ width: 80, color: false });
  expect(renderComparisonScreen(hostileComparison, false, screen)).toMatch(/^1 worse {2}/);
});

test('omits p, noise and base in narrow terminals, but not the change', () => {
  const renderHead = (width: number): string[] =>
    renderComparisonScreen(hostileComparison, true, createScreen({ width, color: false }))
      .split('\n')
      .find(line => line.includes('change'))!
      .trim()
      .split(/ +/);
  expect(renderHead(80)).toEqual(['base', 'new', 'change', 'noise', 'p']);
  expect(renderHead(48)).toEqual(['base', 'new', 'change', 'noise', 'p']);
  expect(renderHead(46)).toEqual(['base', 'new', 'change', 'noise']);
  expect(renderHead(32)).toEqual(['base', 'new', 'change']);
  expect(renderHead(24)).toEqual(['new', 'change']);
});

test('shows only the rows that fit the terminal height, and counts the other rows', () => {
  const row = hostileComparison.rows[0]!;
  const largeComparison = { ...hostileComparison, rows: Array.from({ length: 50 }, () => row) };
  const text = renderComparisonScreen(
    largeComparison,
    false,
    createScreen({ width: 80, height: 24, color: false }),
  );
  expect(text.split('\n').filter(line => line.startsWith('✗'))).toHaveLength(12);
  expect(text).toContain('; 38 not shown (--all)');
});

test('suggests an option that matches renamed series', () => {
  const text = renderComparisonScreen(
    compareRenamedModels(),
    false,
    createScreen({ width: 200, color: false }),
  );
  expect(text).toContain('to compare them: --ignore-label model');
});

describe('fits the terminal', () => {
  test.each([40, 60, 80, 120])('of %d columns, without control characters', width => {
    const text = renderComparisonScreen(hostileComparison, true, createScreen({ width, color: false }));
    expect(text).not.toContain('\u001b');
    expect(measureWidth(text)).toBeLessThanOrEqual(width);
  });

  test('with long names', () => {
    const [base, other] = ['a', 'b'].map(name =>
      createTestRun({ [name.repeat(300)]: createMetric('gauge', [createGauge(1)]) }),
    );
    const comparison = compareRuns([base!], [other!]);
    const text = renderComparisonScreen(comparison, true, createScreen({ width: 80, color: false }));
    expect(measureWidth(text)).toBeLessThanOrEqual(80);
  });
});

test('renders more rows than a JavaScript call can have arguments', () => {
  const comparison = compareRuns([createModelRun(1, 'a')], [createModelRun(1, 'a')]);
  const largeComparison = { ...comparison, rows: Array.from({ length: 130_000 }, () => comparison.rows[0]!) };
  const lines = renderComparisonScreen(
    largeComparison,
    true,
    createScreen({ width: 60, color: false }),
  ).split('\n');
  expect(lines.filter(line => line.includes('per s'))).toHaveLength(130_000);
});
