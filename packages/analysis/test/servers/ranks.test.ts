import { expect, test, vi } from 'vitest';
import type { RunSeries } from '../../src/run/series.ts';
import { divideByRank, getRank } from '../../src/servers/ranks.ts';

const createSeries = (labels: Record<string, string>): RunSeries => ({ labels }) as unknown as RunSeries;

test.each([
  [{ engine: '3' }, 'engine 3'],
  [{ dp_rank: '1' }, 'dp_rank 1'],
  [{ model_name: 'm' }, ''],
])('names the rank of the labels %j', (labels, rank) => {
  expect(getRank(createSeries(labels))).toBe(rank);
});

test('divides the series of a role by rank, once', () => {
  const [first, second, third] = [{ engine: '0' }, { engine: '1' }, { engine: '0' }].map(createSeries);
  const read = vi.fn(() => [first!, second!, third!]);
  const readRank = divideByRank(read);
  expect(readRank('engine 0')('running')).toEqual([first, third]);
  expect(readRank('engine 1')('running')).toEqual([second]);
  expect(readRank('engine 2')('running')).toEqual([]);
  expect(read).toHaveBeenCalledTimes(1);
});
