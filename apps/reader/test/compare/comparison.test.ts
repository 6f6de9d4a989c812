import { type Comparison, compareRuns, createRunFromView, type Run } from '@org/analysis';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import {
  counter,
  document,
  gauge,
  healthyInfo,
  metric,
  URL_A,
} from '../../../../packages/analysis/test/documents.ts';
import { buildComparisonDocument } from '../../src/compare/json.ts';
import { renderComparisonMarkdown } from '../../src/compare/markdown.ts';
import { renderComparisonScreen } from '../../src/compare/screen.ts';
import { createScreen } from '../../src/screen.ts';

type Metrics = Parameters<typeof document>[0];

const run = (metrics: Metrics, urls: readonly string[] = [URL_A], name = 'run'): Run =>
  createRunFromView(document(metrics, Object.fromEntries(urls.map(url => [url, healthyInfo]))), name);

/** Slices that swing about their mean without being alike. */
const swing = (mean: number, share = 0.02): number[] =>
  [1, -1, 0.5, -0.5, 1, -1, -0.5, 0.5, 0.2, -0.2].map(part => mean * (1 + share * part));

const tokens = (rate: number, options: object = {}): object =>
  counter(20 * rate, { slices: swing(rate), ...options });

describe('output', () => {
  test('names a label that keeps series from matching in every output', () => {
    const named = (model: string): Run =>
      run({ 'vllm:generation_tokens': metric('counter', [tokens(100, { labels: { model } })]) });
    const renamed = compareRuns([named('a')], [named('b')]);
    const line = 'to compare them: --ignore-label model';
    expect(renderComparisonScreen(renamed, false, createScreen({ width: 200, color: false }))).toContain(
      line,
    );
    expect(renderComparisonMarkdown(renamed, false)).toContain(line);
    expect(buildComparisonDocument(renamed)).toMatchObject({
      hint: { text: expect.stringContaining(line), ignore_labels: ['model'], series: 2 },
    });
    const withoutLabel = compareRuns([named('a')], [named('b')], { ignoreLabels: ['model'] });
    expect(buildComparisonDocument(withoutLabel)).toMatchObject({ hint: null });
  });

  test('prints more rows than a call can have arguments', () => {
    const one = run({ 'vllm:generation_tokens': metric('counter', [counter(1)]) });
    const comparison = compareRuns([one], [one]);
    const many = { ...comparison, rows: Array.from({ length: 130_000 }, () => comparison.rows[0]!) };
    const lines = renderComparisonScreen(many, true, createScreen({ width: 60, color: false })).split('\n');
    expect(lines.filter(line => line.includes('per s'))).toHaveLength(130_000);
  });

  const evil = { model: '\u001b[2J<img onerror=x>|`@all', engine: '0' };
  const make = (rate: number): Run =>
    run(
      {
        'vllm:generation_tokens': metric('counter', [
          tokens(rate, { labels: evil }),
          tokens(100, { labels: { model: 'b', engine: '0' } }),
        ]),
      },
      [URL_A],
      'a\u001b[31m|b',
    );
  const comparison: Comparison = compareRuns([make(1000)], [make(500)]);

  test.each([40, 60, 80, 120])('fits %d columns, without control characters', width => {
    const text = renderComparisonScreen(comparison, true, createScreen({ width, color: false }));
    expect(text).not.toContain('\u001b');
    expect(Math.max(...text.split('\n').map(line => stringWidth(line)))).toBeLessThanOrEqual(width);
  });

  test('limits long names', () => {
    const long = (name: string): Run => run({ [name.repeat(300)]: metric('gauge', [gauge(1)]) });
    const text = renderComparisonScreen(
      compareRuns([long('a')], [long('b')]),
      true,
      createScreen({ width: 80, color: false }),
    );
    expect(Math.max(...text.split('\n').map(line => stringWidth(line)))).toBeLessThanOrEqual(80);
  });

  test('prints the result first', () => {
    expect(renderComparisonScreen(comparison, false, createScreen({ width: 80, color: false }))).toMatch(
      /^1 worse {2}/,
    );
  });

  test('escapes names in Markdown tables', () => {
    const text = renderComparisonMarkdown(comparison, false);
    expect(text).toMatch(/^### Server metrics: 1 worse\n/);
    for (const evil of ['\u001b', '<img', '@all']) expect(text).not.toContain(evil);
    const lines = text.split('\n').filter(line => line.startsWith('|'));
    expect(new Set(lines.map(line => line.split('|').length)).size).toBe(1);
    expect(text).toContain('**-50%**');
  });

  test('writes every row and the method to JSON', () => {
    expect(buildComparisonDocument(comparison)).toMatchObject({
      counts: { worse: 1 },
      method: { test: 'welch', correction: 'bh', tested: 2 },
      rows: [
        {
          metric: 'vllm:generation_tokens',
          verdict: 'worse',
          better: 'higher',
          noise_from: { base: 'slices' },
        },
        {},
      ],
    });
  });
});
