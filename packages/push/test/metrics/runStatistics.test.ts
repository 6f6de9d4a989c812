import type { Run } from '@org/analysis';
import { expect, test } from 'vitest';
import { RunStatistics } from '../../src/metrics/runStatistics.ts';
import { MAX_BATCH_POINTS } from '../../src/metrics/statistics.ts';
import { RUN } from '../support/batches.ts';

const PARTS = 4;

/** Statistics of a run with one point per series. Counts how often the series were listed. */
function createStatistics() {
  const series = Array.from({ length: PARTS * MAX_BATCH_POINTS }, (_, index) => ({
    name: 'm',
    type: 'gauge',
    unit: null,
    endpoint: 'e',
    labels: { index: String(index) },
    stats: { avg: index },
  }));
  const families = new Map([['m', { series }]]);
  let lists = 0;
  const source = {
    get families() {
      lists += 1;
      return families;
    },
  };
  const statistics = new RunStatistics(source as unknown as Pick<Run, 'families'>, RUN, 7);
  return { statistics, countLists: () => lists };
}

const readFirst = async (statistics: RunStatistics, part: number) =>
  (await statistics.readPart(part))!.families[0]!.points[0]!.value;

test('returns each part by its number, and nothing after the last one', async () => {
  const { statistics } = createStatistics();
  expect(statistics.points).toBe(PARTS * MAX_BATCH_POINTS);
  for (let part = 0; part < PARTS; part++)
    expect(await readFirst(statistics, part)).toBe(part * MAX_BATCH_POINTS);
  expect(await statistics.readPart(PARTS)).toBeUndefined();
  expect(await statistics.readPart(0)).toMatchObject({ run: RUN, timeMs: 7 });
});

test('receivers at different parts read the series once each', async () => {
  const { statistics, countLists } = createStatistics();
  const before = countLists();
  const order = [0, 1, 2, 0, 3, 1, 2];
  const values: unknown[] = [];
  for (const part of order) values.push(await readFirst(statistics, part));
  expect(values).toEqual(order.map(part => part * MAX_BATCH_POINTS));
  expect(countLists() - before).toBe(2);
});
