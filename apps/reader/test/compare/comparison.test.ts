import {
  type CompareOptions,
  type Comparison,
  type ComparisonRow,
  compareRuns,
  createRunFromView,
  type Run,
} from '@org/analysis';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import {
  counter,
  document,
  gauge,
  histogram,
  metric,
  URL_A,
  URL_B,
  wellInfo,
} from '../../../../packages/analysis/test/documents.ts';
import { buildComparisonDocument } from '../../src/compare/json.ts';
import { renderComparisonMarkdown } from '../../src/compare/markdown.ts';
import { renderComparisonScreen } from '../../src/compare/screen.ts';
import { createScreen } from '../../src/screen.ts';

type Metrics = Parameters<typeof document>[0];

const run = (metrics: Metrics, urls: readonly string[] = [URL_A], name = 'run'): Run =>
  createRunFromView(document(metrics, Object.fromEntries(urls.map(url => [url, wellInfo]))), name);

/** Slices that swing about their mean without being alike. */
const swing = (mean: number, share = 0.02): number[] =>
  [1, -1, 0.5, -0.5, 1, -1, -0.5, 0.5, 0.2, -0.2].map(part => mean * (1 + share * part));

const tokens = (rate: number, options: object = {}): object =>
  counter(20 * rate, { slices: swing(rate), ...options });

const rows = (base: Run, other: Run, options: CompareOptions = {}): readonly ComparisonRow[] =>
  compareRuns([base], [other], options).rows;

describe('one run per side', () => {
  const base = run({
    'vllm:generation_tokens': metric('counter', [tokens(1000)], 'tokens'),
    'vllm:num_requests_waiting': metric('gauge', [gauge(10, { slices: swing(10) })]),
    'vllm:e2e_request_latency_seconds': metric(
      'histogram',
      [histogram(500, 2, { slices: swing(2) })],
      'seconds',
    ),
    'vllm:num_preemptions': metric('counter', [counter(0, { slices: swing(0) })]),
  });

  test.each<[string, Metrics, object]>([
    [
      'throughput falls',
      { 'vllm:generation_tokens': metric('counter', [tokens(800)], 'tokens') },
      { verdict: 'worse', change: -0.2 },
    ],
    [
      'throughput rises',
      { 'vllm:generation_tokens': metric('counter', [tokens(1200)], 'tokens') },
      { verdict: 'better', change: 0.2 },
    ],
    [
      'nothing happens',
      { 'vllm:generation_tokens': metric('counter', [tokens(1004)], 'tokens') },
      { verdict: 'no evidence' },
    ],
    [
      'latency rises',
      {
        'vllm:e2e_request_latency_seconds': metric(
          'histogram',
          [histogram(500, 3, { slices: swing(3) })],
          'seconds',
        ),
      },
      { stat: 'avg', verdict: 'worse', change: 0.5 },
    ],
    [
      'a queue has no better',
      { 'vllm:num_requests_waiting': metric('gauge', [gauge(20, { slices: swing(20) })]) },
      { verdict: 'changed', change: 1 },
    ],
    [
      'from nothing',
      { 'vllm:num_preemptions': metric('counter', [counter(100, { slices: swing(5) })]) },
      { verdict: 'worse', change: null },
    ],
    [
      'nothing on both sides',
      { 'vllm:num_preemptions': metric('counter', [counter(0, { slices: swing(0) })]) },
      { verdict: 'same', change: 0 },
    ],
    [
      'no slices',
      { 'vllm:generation_tokens': metric('counter', [counter(1)], 'tokens') },
      { verdict: 'untested', p: null, noise: null },
    ],
  ])('%s', (_, metrics, expected) => {
    expect(rows(base, run(metrics))[0]).toMatchObject(expected);
  });

  test('ignores a significant change that is too small', () => {
    const other = run({ 'vllm:generation_tokens': metric('counter', [tokens(950)], 'tokens') });
    expect(rows(base, other)[0]!.verdict).toBe('worse');
    expect(rows(base, other, { minChange: 0.1 })[0]!.verdict).toBe('same');
  });

  test('lists series that only one side has', () => {
    const other = run({
      'vllm:generation_tokens': metric('counter', [tokens(1000)]),
      new: metric('gauge', [gauge(1)]),
    });
    const { onlyBase, onlyNew } = compareRuns([base], [other]);
    expect([onlyBase.length, onlyNew.map(({ name }) => name)]).toEqual([3, ['new']]);
  });

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
    const told = compareRuns([named('a')], [named('b')], { ignoreLabels: ['model'] });
    expect([told.rows.length, told.hint]).toEqual([1, undefined]);
    expect(buildComparisonDocument(told)).toMatchObject({ hint: null });
  });

  test('notes that one run per side does not show run-to-run variation', () => {
    expect(compareRuns([base], [base]).notes.join()).toMatch(/it does not include run-to-run variation/);
  });

  test('sorts by importance', () => {
    const other = run({
      'vllm:generation_tokens': metric('counter', [tokens(900)], 'tokens'),
      'vllm:num_requests_waiting': metric('gauge', [gauge(40, { slices: swing(40) })]),
      'vllm:e2e_request_latency_seconds': metric(
        'histogram',
        [histogram(500, 1, { slices: swing(1) })],
        'seconds',
      ),
      'vllm:num_preemptions': metric('counter', [counter(0, { slices: swing(0) })]),
    });
    const verdicts = rows(base, other).map(({ verdict }) => verdict);
    expect(verdicts[0]).toBe('worse');
    expect(verdicts.indexOf('better')).toBeLessThan(verdicts.indexOf('changed'));
    expect(verdicts.at(-1)).toBe('same');
  });
});

describe('several runs per side', () => {
  const of = (rates: readonly number[]): Run[] =>
    rates.map(rate => run({ 'vllm:generation_tokens': metric('counter', [tokens(rate)], 'tokens') }));

  test('estimates noise from runs, not from slices', () => {
    const far = compareRuns(of([1000, 1010, 990]), of([800, 810, 790]));
    expect(far.rows[0]).toMatchObject({
      verdict: 'worse',
      basis: ['runs', 'runs'],
      runs: [
        [1000, 1010, 990],
        [800, 810, 790],
      ],
    });
    const wide = compareRuns(of([700, 1300, 1000]), of([650, 1000, 750]));
    expect(wide.rows[0]!.verdict).toBe('no evidence');
  });

  test('runs the rank test on request', () => {
    const [row] = compareRuns(of([1, 2, 3, 4]), of([11, 12, 13, 14]), { test: 'mann-whitney' }).rows;
    expect(row).toMatchObject({ verdict: 'better', effect: 1 });
    expect(row!.p).toBeCloseTo(2 / 70, 5);
  });

  test('notes that three runs per side are too few for a rank test', () => {
    const { rows: found, notes } = compareRuns(of([1, 2, 3]), of([11, 12, 13]), { test: 'mann-whitney' });
    expect(found[0]!.verdict).toBe('no evidence');
    expect(notes.join()).toMatch(/cannot reach a p below 0\.10/);
  });
});

describe('many comparisons', () => {
  /** 200 gauges of white noise with the same mean. */
  const noisy = (seed: number): Run => {
    let state = seed;
    const next = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const slices = (): number[] =>
      Array.from(
        { length: 20 },
        () => 100 + 5 * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
      );
    const series = Array.from({ length: 200 }, (_, i) => {
      const values = slices();
      return gauge(values.reduce((sum, value) => sum + value, 0) / 20, {
        labels: { i: String(i) },
        slices: values,
      });
    });
    return run({ some_level: metric('gauge', series) });
  };
  const verdicts = (options: CompareOptions): number =>
    compareRuns([noisy(1)], [noisy(2)], { minChange: 0, ...options }).rows.filter(
      ({ verdict }) => verdict === 'changed',
    ).length;

  test('finds differences in 200 equal pairs only without correction', () => {
    expect(verdicts({ correction: 'none' })).toBeGreaterThan(2);
    expect(verdicts({ correction: 'bh' })).toBe(0);
    expect(verdicts({ correction: 'holm' })).toBe(0);
  });
});

describe('matching', () => {
  const of = (labels: Readonly<Record<string, string>>, url = URL_A): Run =>
    run({ 'vllm:generation_tokens': metric('counter', [tokens(100, { labels, url })]) }, [url]);

  test.each<[string, Run, Run, CompareOptions, number]>([
    ['with the same labels', of({ model: 'a' }), of({ model: 'a' }), {}, 1],
    ['not with others', of({ model: 'a' }), of({ model: 'b' }), {}, 0],
    ['unless told to', of({ model: 'a' }), of({ model: 'b' }), { ignoreLabels: ['model'] }, 1],
    ['wherever they ran', of({}, 'http://a:1/metrics'), of({}, 'http://b:2/metrics'), {}, 1],
    ['whatever their process', of({ pid: '1', model: 'a' }), of({ pid: '2', model: 'a' }), {}, 1],
    [
      'by some labels only',
      of({ rank: '0', model: 'a' }),
      of({ rank: '1', model: 'a' }),
      { by: ['model'] },
      1,
    ],
  ])('%s', (_, base, other, options, count) => {
    expect(rows(base, other, options)).toHaveLength(count);
  });

  test('notes an ignored process label', () => {
    expect(compareRuns([of({ pid: '1' })], [of({ pid: '2' })]).notes.join()).toMatch(/label pid differs/);
  });

  test('pairs renamed endpoints in order, and notes it', () => {
    const two = (a: string, b: string): Run =>
      run(
        { 'vllm:generation_tokens': metric('counter', [tokens(100, { url: a }), tokens(200, { url: b })]) },
        [a, b],
      );
    const { rows: found, notes } = compareRuns(
      [two('http://x:1/metrics', 'http://x:2/metrics')],
      [two('http://x:3/metrics', 'http://x:4/metrics')],
    );
    expect(found.map(({ base, new: to }) => [base, to]).sort()).toEqual([
      [100, 100],
      [200, 200],
    ]);
    expect(notes.join()).toMatch(/endpoint x:3 is compared with x:1/);
  });

  test('pairs endpoints by name if their number differs', () => {
    const of2 = (urls: readonly string[]): Run =>
      run(
        {
          'vllm:generation_tokens': metric(
            'counter',
            urls.map(url => tokens(100, { url })),
          ),
        },
        urls,
      );
    const found = compareRuns([of2([URL_A])], [of2([URL_A, URL_B])]);
    expect([found.rows.length, found.onlyNew.length]).toEqual([1, 1]);
  });

  test('skips identity metrics', () => {
    const one = run({
      'vllm:cache_config_info': metric('gauge', [gauge(1)]),
      process_start_time_seconds: metric('gauge', [gauge(1)]),
    });
    expect(rows(one, one)).toEqual([]);
  });
});

describe('combining ranks', () => {
  const ranks = (values: readonly number[], unit?: string): Run =>
    run({
      'vllm:num_requests_running': metric(
        'gauge',
        values.map((value, i) => gauge(value, { labels: { rank: String(i) }, slices: swing(value) })),
        unit,
      ),
    });

  test.each<[CompareOptions['rollup'], string | undefined, number]>([
    ['auto', undefined, 6],
    ['auto', 'ratio', 3],
    ['sum', 'ratio', 6],
    ['mean', undefined, 3],
    ['max', undefined, 4],
  ])('%s of %s', (rollup, unit, expected) => {
    const [row] = rows(ranks([2, 4], unit), ranks([2, 4], unit), { ignoreLabels: ['rank'], rollup: rollup! });
    expect(row).toMatchObject({ base: expected, new: expected, seriesCount: 2 });
  });

  test('adds counters and their slices', () => {
    const of = (parts: readonly number[]): Run =>
      run({
        'vllm:generation_tokens': metric(
          'counter',
          parts.map((rate, i) => tokens(rate, { labels: { rank: String(i) } })),
        ),
      });
    expect(rows(of([100, 200]), of([60, 120]), { ignoreLabels: ['rank'] })[0]).toMatchObject({
      base: 300,
      new: 180,
      verdict: 'worse',
      basis: ['slices', 'slices'],
    });
  });

  test('merges histograms bucket by bucket', () => {
    const of = (averages: readonly number[]): Run =>
      run({
        'vllm:e2e_request_latency_seconds': metric(
          'histogram',
          averages.map((avg, i) => histogram(100, avg, { labels: { rank: String(i) }, slices: swing(avg) })),
          'seconds',
        ),
      });
    const found = rows(of([1, 1]), of([1, 1]), { ignoreLabels: ['rank'] });
    expect(found.find(({ stat }) => stat === 'avg')).toMatchObject({ base: 1, new: 1 });
    // Four buckets of a quarter each; the last from 2 to 4 s: 2 + 2 * (99 - 75) / 25.
    expect(found.find(({ stat }) => stat === 'p99_estimate')!.base).toBeCloseTo(3.92, 5);
  });

  test('computes no percentiles if bounds differ', () => {
    const odd = histogram(100, 1, { labels: { rank: '1' }, more: { buckets: { '7': 100, '+Inf': 100 } } });
    const one = run({ h: metric('histogram', [histogram(100, 1, { labels: { rank: '0' } }), odd]) });
    expect(rows(one, one, { ignoreLabels: ['rank'] }).map(({ stat }) => stat)).toEqual(['avg']);
  });
});

test('combines more series than a call can have arguments', () => {
  const series = Array.from({ length: 130_000 }, (_, i) => counter(i, { labels: { i: String(i) } }));
  const large = run({ 'vllm:generation_tokens': metric('counter', series) });
  const small = run({ 'vllm:generation_tokens': metric('counter', [counter(1)]) });
  expect(rows(small, large, { by: [] })[0]).toMatchObject({ seriesCount: 130_000, verdict: 'untested' });
});

describe('output', () => {
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

  test('omits equal labels from names', () => {
    expect(comparison.rows[0]!.distinguishingLabels).not.toHaveProperty('engine');
    expect(comparison.rows[0]!.labels).toHaveProperty('engine');
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
