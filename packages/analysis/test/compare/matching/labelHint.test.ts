import { expect, test } from 'vitest';
import { findLabelHint, type OneSidedSeries } from '../../../src/compare/matching/labelHint.ts';

type Labels = Readonly<Record<string, string>>;

const createSide = (...labels: readonly Labels[]): OneSidedSeries[] =>
  labels.map(set => ({ name: 'a', type: 'counter', labels: set }));

/** Creates the series of two ranks of a model. */
const createRanks = (model: string, ...more: readonly Labels[]): OneSidedSeries[] =>
  createSide({ model, rank: '0' }, { model, rank: '1' }, ...more);

const createLabel = (label: string, before: string | null, after: string): object => ({
  label,
  base: before,
  new: after,
});

test.each<
  [
    string,
    OneSidedSeries[],
    OneSidedSeries[],
    readonly object[],
    [matchingSeries: number, oneSidedSeries: number],
  ]
>([
  ['a renamed model', createRanks('x'), createRanks('y'), [createLabel('model', 'x', 'y')], [4, 4]],
  [
    'a label that only the new server has',
    createSide({ rank: '0' }, { rank: '1' }),
    createSide({ engine: '0', rank: '0' }, { engine: '0', rank: '1' }),
    [createLabel('engine', null, '0')],
    [4, 4],
  ],
  [
    'two labels that changed together',
    createSide({ model: 'x', version: '1' }),
    createSide({ model: 'y', version: '2' }),
    [createLabel('model', 'x', 'y'), createLabel('version', '1', '2')],
    [2, 2],
  ],
  [
    'a renamed model, with one series that is new',
    createRanks('x'),
    createRanks('y', { model: 'y', rank: '2' }),
    [createLabel('model', 'x', 'y')],
    [4, 5],
  ],
  [
    'a renamed model, but no label of series that do not match without the label either',
    [...createRanks('x'), { name: 'b', type: 'gauge', labels: { model: 'x', a: '1' } }],
    [...createRanks('y'), { name: 'c', type: 'gauge', labels: { model: 'y', a: '2' } }],
    [createLabel('model', 'x', 'y')],
    [4, 6],
  ],
])('finds %s', (_, base, other, labels, [matchingSeries, oneSidedSeries]) => {
  expect(findLabelHint(base, other)).toEqual({ labels, matchingSeries, oneSidedSeries, isChosen: false });
});

test.each<[string, OneSidedSeries[], OneSidedSeries[]]>([
  ['one side has no series', createRanks('x'), []],
  ['many labels differ', createSide({ a: '1', b: '2' }), createSide({ b: '3', c: '4' })],
  ['a side has several values', [...createRanks('x'), ...createRanks('z')], createRanks('y')],
  ['names differ', createRanks('x'), createRanks('y').map(series => ({ ...series, name: 'b' }))],
  ['types differ', createRanks('x'), createRanks('y').map(series => ({ ...series, type: 'gauge' }))],
  [
    'only half of the series would match',
    createRanks('x', { model: 'x', rank: '2' }, { model: 'x', rank: '3' }),
    createRanks('y', { model: 'y', rank: '4' }, { model: 'y', rank: '5' }),
  ],
  [
    'the label name is not valid as an argument',
    createSide({ 'a b': 'x', r: '0' }),
    createSide({ 'a b': 'y', r: '0' }),
  ],
])('returns no hint if %s', (_, base, other) => {
  expect(findLabelHint(base, other)).toBeUndefined();
});

test('compares label sets instead of their joined text', () => {
  const [base, other] = [createSide({ a: '1', b: '2,c=3' }), createSide({ b: '2', c: '3' })];
  expect(findLabelHint(base, other)).toBeUndefined();
});
