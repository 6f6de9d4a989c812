import { type ComparisonRow, compareRuns, type Verdict } from '@org/analysis';
import { describe, expect, test } from 'vitest';
import {
  describeDifferences,
  describeHint,
  describeOneSided,
  formatChange,
  formatHeadline,
  formatPValue,
  formatRowName,
  formatSideName,
  listNotes,
  listReasons,
  selectRows,
  summarizeVerdicts,
} from '../../src/compare/comparisonText.ts';
import { compareHostileRuns, compareRenamedModels, createModelRun } from '../support/comparedRuns.ts';

const [worseRow] = compareHostileRuns().rows;

/** Creates rows with these verdicts. */
function createRows(...verdicts: Verdict[]): ComparisonRow[] {
  return verdicts.map(verdict => ({ ...worseRow!, verdict }));
}

test.each([
  ['throughput', {}, 'throughput per s'],
  ['latency', { stat: 'p99_estimate' }, 'latency p99'],
  ['tokens', { distinguishingLabels: { model: 'x', rank: '0' } }, 'tokens{model="x",rank="0"} per s'],
])('formats the name of a row of %s', (name, change, expected) => {
  expect(formatRowName({ name, stat: 'rate', distinguishingLabels: {}, ...change })).toBe(expected);
});

test.each([
  [0.5, '+50%'],
  [-0.2, '-20%'],
  [0.00345, '+0.34%'],
  [0.00001, '0%'],
  [-0.00001, '0%'],
  [12.34, '+1234%'],
  [4000, '+×4000'],
])('formats the relative change %d as %s', (change, expected) => {
  expect(formatChange({ change, base: 1, new: 2 })).toBe(expected);
});

test('formats a change from 0 without a ratio', () => {
  expect(formatChange({ change: null, base: 0, new: 2 })).toBe('from 0');
  expect(formatChange({ change: null, base: 0, new: -2 })).toBe('below 0');
});

test.each([
  [null, ''],
  [0.0001, '<0.001'],
  [0.05, '0.050'],
  [1, '1.000'],
])('formats a p-value of %d as "%s"', (p, expected) => {
  expect(formatPValue({ ...worseRow!, p })).toBe(expected);
});

test('selects changes and key metrics, up to a maximum', () => {
  const rows = createRows('worse', 'changed', 'unchanged', 'no evidence').map(row => ({
    ...row,
    isKey: false,
  }));
  rows[2]!.isKey = true;
  const comparison = { ...compareHostileRuns(), rows };
  expect(selectRows(comparison, false, 10).map(({ verdict }) => verdict)).toEqual([
    'worse',
    'changed',
    'unchanged',
  ]);
  expect(selectRows(comparison, false, 2)).toHaveLength(2);
  expect(selectRows(comparison, true, 2)).toHaveLength(4);
});

test.each<[Verdict[], string, string]>([
  [[], 'nothing to compare', 'no common series'],
  [['worse', 'worse', 'better'], '2 worse, 1 better', '2 worse and 1 better'],
  [['worse', 'unchanged'], '1 worse, 1 unchanged', '1 worse'],
  [['better', 'changed'], '1 better, 1 changed', '1 better'],
  [['changed', 'no evidence'], '1 changed, 1 without evidence of a change', '1 changed'],
  [['no evidence', 'unchanged'], '1 without evidence of a change, 1 unchanged', 'no evidence of a change'],
  [['unchanged'], '1 unchanged', 'unchanged'],
  [['untested', 'unchanged'], '1 unchanged, 1 untested', 'not tested: noise is unknown'],
])('describes verdicts %j', (verdicts, summary, headline) => {
  const rows = createRows(...verdicts);
  expect(summarizeVerdicts(rows)).toBe(summary);
  expect(formatHeadline({ ...compareHostileRuns(), rows })).toBe(headline);
});

test('counts rows with the same cause once in the headline', () => {
  const rows = createRows('worse', 'worse', 'better').map((row, i) => ({ ...row, isFollower: i === 1 }));
  expect(formatHeadline({ ...compareHostileRuns(), rows })).toBe('1 worse (2 rows) and 1 better');
});

test('counts reasons that differ only in their figures as one', () => {
  const reasons = [41, 36, 36].map(count => `too few observations (${count}) for this percentile`);
  const rows = createRows('untested', 'untested', 'untested').map((row, i) => ({
    ...row,
    reason: reasons[i]!,
  }));
  expect(listReasons({ rows })).toEqual(['3 rows not tested: too few observations for this percentile']);
  expect(listReasons({ rows: rows.slice(1) })).toEqual([
    '2 rows not tested: too few observations (36) for this percentile',
  ]);
});

test('gives the most frequent reason in the headline if no row was tested', () => {
  const reasons = ['no timeslices', 'too few timeslices (4 and 4, required: 8)', 'no timeslices'];
  const rows = createRows('untested', 'untested', 'untested').map((row, i) => ({
    ...row,
    reason: reasons[i]!,
  }));
  const comparison = { ...compareHostileRuns(), rows };
  expect(formatHeadline(comparison)).toBe(
    'not tested: no timeslices (set --slice-duration, or repeat each run)',
  );
  expect(listNotes(comparison).slice(0, 2)).toEqual([
    '2 rows not tested: no timeslices',
    '1 row not tested: too few timeslices (4 and 4, required: 8)',
  ]);
});

test.each<[Parameters<typeof describeDifferences>[0]['differences'], string[]]>([
  [
    [{ topic: 'load', option: 'phases.profiling.rate', unit: 'requests/s', base: ['12'], new: ['24'] }],
    ['Different load: 12 and 24 requests/s'],
  ],
  [
    [
      { topic: 'load', option: 'phases.profiling.concurrency', unit: null, base: ['8'], new: [] },
      { topic: 'load', option: 'phases.profiling.rate', unit: 'requests/s', base: [], new: ['24'] },
      {
        topic: 'input',
        option: 'datasets.main.prompts.isl.mean',
        unit: null,
        base: ['100', '200'],
        new: ['400'],
      },
    ],
    [
      'Different load: concurrency 8 (base only); 24 requests/s (new only)',
      'Different input: input tokens 100, 200 and 400',
    ],
  ],
  [
    [{ topic: 'duration', option: 'phases.profiling.duration', unit: 's', base: ['10'], new: [] }],
    ['Different duration: 10 s (base only)'],
  ],
  [
    [{ topic: 'command', option: 'command', unit: null, base: ['a '.repeat(60)], new: ['b'] }],
    [`Different command: ${'a '.repeat(60)} and b`],
  ],
  [[], []],
])('describes options that differ: %j', (differences, expected) => {
  expect(describeDifferences({ differences })).toEqual(expected);
});

test('describes series that exist only in the base or only in the new run', () => {
  const [base, other, hint] = describeOneSided(compareRenamedModels());
  expect(base).toBe('1 series only in base: vllm:generation_tokens{model="a"}');
  expect(other).toBe('1 series only in new: vllm:generation_tokens{model="b"}');
  expect(hint).toMatch(/^2 of 2 unmatched series differ only in model/);
});

test('names a side by its first run', () => {
  const runs = [1, 2, 3].map(rate => createModelRun(rate, 'a'));
  expect(formatSideName(runs.slice(0, 1))).toBe('run');
  expect(formatSideName(runs)).toBe('run and 2 more');
});

test('describes the test, the correction and the thresholds', () => {
  const runs = [createModelRun(1, 'a')];
  const options = { test: 'mann-whitney', correction: 'holm', minChange: 0.05 } as const;
  expect(listNotes(compareRuns(runs, runs, options)).at(-1)).toBe(
    'Mann-Whitney, 1 test of key metrics and 0 of other metrics, Holm, alpha 0.05, changes of at least 5%; ± is the confidence interval of the change, corrected like p',
  );
});

describe('describes a hint', () => {
  const hint = {
    labels: [{ label: 'model', base: 'x', new: 'y' }],
    matchingSeries: 4,
    oneSidedSeries: 5,
    isChosen: false,
  };

  test.each<[string, Parameters<typeof describeHint>[0], string]>([
    [
      'one label',
      hint,
      '4 of 5 unmatched series differ only in model ("x" → "y"); to compare them: --ignore-label model',
    ],
    [
      'two labels, one of them without a value in the base',
      { ...hint, labels: [...hint.labels, { label: 'engine', base: null, new: '0' }] },
      '4 of 5 unmatched series differ only in model ("x" → "y") and engine (none → "0"); to compare them: --ignore-label model --ignore-label engine',
    ],
    [
      'a long value',
      { ...hint, labels: [{ label: 'model', base: 'a'.repeat(60), new: 'b' }] },
      `4 of 5 unmatched series differ only in model ("${'a'.repeat(13)}…${'a'.repeat(26)}" → "b"); to compare them: --ignore-label model`,
    ],
    [
      'labels that were chosen with --by',
      { ...hint, isChosen: true },
      '4 of 5 unmatched series differ only in model ("x" → "y"); to compare them: leave model out of --by',
    ],
  ])('with %s', (_, value, text) => {
    expect(describeHint(value)).toBe(text);
  });
});
