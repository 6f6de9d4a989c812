import { expect, test } from 'vitest';
import { type Labels, omitRepeatedSeries } from '../src/seriesOverlap.ts';

const TOTAL = { label: 'priority', value: '' };
const RANKS = ['tp_rank', 'pp_rank'];

test.each<[string, Parameters<typeof omitRepeatedSeries>[1], Labels[], number[]]>([
  [
    'keeps the total of all priorities',
    { total: TOTAL },
    [{ priority: '1' }, { priority: '' }, { priority: '2' }],
    [1],
  ],
  ['reads a missing label as empty', { total: TOTAL }, [{}, { priority: '1' }], [0]],
  ['keeps all priorities without a total', { total: TOTAL }, [{ priority: '1' }, { priority: '2' }], [0, 1]],
  [
    'keeps the total of each data-parallel rank',
    { total: TOTAL },
    [
      { dp_rank: '0', priority: '' },
      { dp_rank: '0', priority: '1' },
      { dp_rank: '1', priority: '' },
    ],
    [0, 2],
  ],
  [
    'keeps one rank of those that repeat the same values',
    { repeats: RANKS },
    [
      { tp_rank: '0', pp_rank: '0' },
      { tp_rank: '1', pp_rank: '0' },
      { tp_rank: '0', pp_rank: '1' },
    ],
    [0],
  ],
  [
    'keeps the total of the first rank',
    { total: TOTAL, repeats: RANKS },
    [
      { tp_rank: '0', priority: '' },
      { tp_rank: '0', priority: '1' },
      { tp_rank: '1', priority: '' },
      { tp_rank: '1', priority: '1' },
    ],
    [0],
  ],
])('%s', (_, overlap, labels, kept) => {
  expect(omitRepeatedSeries(labels, overlap, item => item)).toEqual(kept.map(index => labels[index]));
});
