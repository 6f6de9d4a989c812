import { expect, test } from 'vitest';
import { createSides, MAX_OVERLAID, shortenNames } from '../../../src/report/comparison/model/sides.ts';
import { createMetricRun } from '../../support/reportedRuns.ts';

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['leaves out common folders', ['a/b/main', 'a/b/branch'], ['main', 'branch']],
  ['keeps what differs', ['a/main/run', 'a/branch/run'], ['main/run', 'branch/run']],
  ['keeps a path that contains another', ['a', 'a/b'], ['a', 'a/b']],
  ['numbers equal names', ['a/run', 'a/run'], ['run (1)', 'run (2)']],
])('%s', (_, paths, names) => {
  expect(shortenNames(paths)).toEqual(names);
});

test('gives each of up to four benchmarks its own color, and more of them one', () => {
  const create = (count: number) =>
    createSides(Array.from({ length: count }, (_, i) => [createMetricRun({}, `run${i}`)]));
  const few = create(MAX_OVERLAID).map(({ color }) => color);
  expect(new Set(few).size).toBe(MAX_OVERLAID);
  expect(new Set(create(6).map(({ color }) => color))).toEqual(new Set(['grey', 'client']));
});
