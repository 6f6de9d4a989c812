import { describe, expect, test } from 'vitest';
import { hintText, labelHint } from '../../src/compare/labelhint.ts';
import type { Missing } from '../../src/compare/missing.ts';

type Labels = Readonly<Record<string, string>>;

const side = (...labels: readonly Labels[]): Missing[] =>
  labels.map(one => ({ name: 'a', type: 'counter', labels: one }));

/** Two ranks of a model. */
const ranks = (model: string, ...more: readonly Labels[]): Missing[] =>
  side({ model, rank: '0' }, { model, rank: '1' }, ...more);

describe('labels that keep most series from meeting', () => {
  test.each<[string, Missing[], Missing[], string]>([
    [
      'a model with another name',
      ranks('x'),
      ranks('y'),
      '4 of 4 one-sided series differ only in model ("x" → "y"); to compare them: --ignore-label model',
    ],
    [
      'a label that only the new server has',
      side({ rank: '0' }, { rank: '1' }),
      side({ engine: '0', rank: '0' }, { engine: '0', rank: '1' }),
      '4 of 4 one-sided series differ only in engine (none → "0"); to compare them: --ignore-label engine',
    ],
    [
      'two labels that changed together',
      side({ model: 'x', version: '1' }),
      side({ model: 'y', version: '2' }),
      '2 of 2 one-sided series differ only in model ("x" → "y") and version ("1" → "2"); to compare them: --ignore-label model --ignore-label version',
    ],
    [
      'some series that are really new',
      ranks('x'),
      ranks('y', { model: 'y', rank: '2' }),
      '4 of 5 one-sided series differ only in model ("x" → "y"); to compare them: --ignore-label model',
    ],
    [
      'a label that differs, too, but of series that would not meet without it either',
      [...ranks('x'), { name: 'b', type: 'gauge', labels: { model: 'x', a: '1' } }],
      [...ranks('y'), { name: 'c', type: 'gauge', labels: { model: 'y', a: '2' } }],
      '4 of 6 one-sided series differ only in model ("x" → "y"); to compare them: --ignore-label model',
    ],
    [
      'a name that is long',
      ranks('a'.repeat(60)),
      ranks('b'),
      `4 of 4 one-sided series differ only in model ("${'a'.repeat(13)}…${'a'.repeat(26)}" → "b"); to compare them: --ignore-label model`,
    ],
  ])('%s', (_, base, other, expected) => {
    expect(hintText(labelHint(base, other)!)).toBe(expected);
  });

  test('labels that were asked for are left out of the question', () => {
    expect(labelHint(ranks('x'), ranks('y'), true)).toMatchObject({ advice: 'leave model out of --by' });
  });
});

test.each<[string, Missing[], Missing[]]>([
  ['one side has nothing', ranks('x'), []],
  ['many labels differ', side({ a: '1', b: '2' }), side({ b: '3', c: '4' })],
  ['a side has several values', [...ranks('x'), ...ranks('z')], ranks('y')],
  ['names differ', ranks('x'), ranks('y').map(one => ({ ...one, name: 'b' }))],
  ['types differ', ranks('x'), ranks('y').map(one => ({ ...one, type: 'gauge' }))],
  [
    'half of the series and no more',
    ranks('x', { model: 'x', rank: '2' }, { model: 'x', rank: '3' }),
    ranks('y', { model: 'y', rank: '4' }, { model: 'y', rank: '5' }),
  ],
  ['the label cannot be an argument', side({ 'a b': 'x', r: '0' }), side({ 'a b': 'y', r: '0' })],
])('nothing is said when %s', (_, base, other) => {
  expect(labelHint(base, other)).toBeUndefined();
});

test('series are told apart by their labels, not by how these are joined', () => {
  const [base, other] = [side({ a: '1', b: '2,c=3' }), side({ b: '2', c: '3' })];
  expect(labelHint(base, other)).toBeUndefined();
});
