import { expect, test } from 'vitest';
import { describeHint } from '../../src/compare/comparisonText.ts';

const hint = { labels: [{ label: 'model', base: 'x', new: 'y' }], series: 4, of: 5, isChosen: false };

test.each<[string, Parameters<typeof describeHint>[0], string]>([
  [
    'one label',
    hint,
    '4 of 5 one-sided series differ only in model ("x" → "y"); to compare them: --ignore-label model',
  ],
  [
    'two labels, one of which only one side has',
    { ...hint, labels: [...hint.labels, { label: 'engine', base: null, new: '0' }] },
    '4 of 5 one-sided series differ only in model ("x" → "y") and engine (none → "0"); to compare them: --ignore-label model --ignore-label engine',
  ],
  [
    'a long value',
    { ...hint, labels: [{ label: 'model', base: 'a'.repeat(60), new: 'b' }] },
    `4 of 5 one-sided series differ only in model ("${'a'.repeat(13)}…${'a'.repeat(26)}" → "b"); to compare them: --ignore-label model`,
  ],
  [
    'labels that were chosen with --by',
    { ...hint, isChosen: true },
    '4 of 5 one-sided series differ only in model ("x" → "y"); to compare them: leave model out of --by',
  ],
])('describes a hint with %s', (_, value, text) => {
  expect(describeHint(value)).toBe(text);
});
