import { expect, test } from 'vitest';
import { findLabelHint, type OneSidedSeries } from '../../src/compare/labelHint.ts';

type Labels = Readonly<Record<string, string>>;

const side = (...labels: readonly Labels[]): OneSidedSeries[] =>
  labels.map(one => ({ name: 'a', type: 'counter', labels: one }));

/** Two ranks of a model. */
const ranks = (model: string, ...more: readonly Labels[]): OneSidedSeries[] =>
  side({ model, rank: '0' }, { model, rank: '1' }, ...more);

const one = (label: string, before: string | null, after: string): object => ({
  label,
  base: before,
  new: after,
});

test.each<[string, OneSidedSeries[], OneSidedSeries[], readonly object[], [series: number, of: number]]>([
  ['a renamed model', ranks('x'), ranks('y'), [one('model', 'x', 'y')], [4, 4]],
  [
    'a label that only the new server has',
    side({ rank: '0' }, { rank: '1' }),
    side({ engine: '0', rank: '0' }, { engine: '0', rank: '1' }),
    [one('engine', null, '0')],
    [4, 4],
  ],
  [
    'two labels that changed together',
    side({ model: 'x', version: '1' }),
    side({ model: 'y', version: '2' }),
    [one('model', 'x', 'y'), one('version', '1', '2')],
    [2, 2],
  ],
  [
    'a renamed model, with one series that is new',
    ranks('x'),
    ranks('y', { model: 'y', rank: '2' }),
    [one('model', 'x', 'y')],
    [4, 5],
  ],
  [
    'a renamed model, but not a label whose series do not match without it either',
    [...ranks('x'), { name: 'b', type: 'gauge', labels: { model: 'x', a: '1' } }],
    [...ranks('y'), { name: 'c', type: 'gauge', labels: { model: 'y', a: '2' } }],
    [one('model', 'x', 'y')],
    [4, 6],
  ],
])('finds %s', (_, base, other, labels, [series, of]) => {
  expect(findLabelHint(base, other)).toEqual({ labels, series, of, isChosen: false });
});

test.each<[string, OneSidedSeries[], OneSidedSeries[]]>([
  ['one side has no series', ranks('x'), []],
  ['many labels differ', side({ a: '1', b: '2' }), side({ b: '3', c: '4' })],
  ['a side has several values', [...ranks('x'), ...ranks('z')], ranks('y')],
  ['names differ', ranks('x'), ranks('y').map(one => ({ ...one, name: 'b' }))],
  ['types differ', ranks('x'), ranks('y').map(one => ({ ...one, type: 'gauge' }))],
  [
    'only half of the series would match',
    ranks('x', { model: 'x', rank: '2' }, { model: 'x', rank: '3' }),
    ranks('y', { model: 'y', rank: '4' }, { model: 'y', rank: '5' }),
  ],
  ['the label cannot be an argument', side({ 'a b': 'x', r: '0' }), side({ 'a b': 'y', r: '0' })],
])('finds nothing if %s', (_, base, other) => {
  expect(findLabelHint(base, other)).toBeUndefined();
});

test('compares labels, not their joined text', () => {
  const [base, other] = [side({ a: '1', b: '2,c=3' }), side({ b: '2', c: '3' })];
  expect(findLabelHint(base, other)).toBeUndefined();
});
