import { expect, test } from 'vitest';
import { groupByLoad } from '../../src/sweep/loadPoint.ts';

type Parameters = Readonly<Record<string, string>>;

test.each<[string, Parameters[], string | undefined, [string, number[]][]]>([
  [
    'orders points by their load, not by their position',
    [{ concurrency: '16' }, { concurrency: '2' }, { concurrency: '4' }],
    'concurrency',
    [['', [2, 4, 16]]],
  ],
  [
    'takes the concurrency as load, and a group per length of prompts',
    [128, 256, 512].flatMap(isl =>
      [1, 8].map(concurrency => ({ isl: String(isl), concurrency: String(concurrency) })),
    ),
    'concurrency',
    [
      ['isl 128', [1, 8]],
      ['isl 256', [1, 8]],
      ['isl 512', [1, 8]],
    ],
  ],
  ['takes the rate as load', [{ rate: '2.5' }, { rate: '1e1' }], 'rate', [['', [2.5, 10]]]],
  [
    'takes the parameter with the most values, if none is a load',
    [
      { isl: '1', osl: '7' },
      { isl: '2', osl: '7' },
    ],
    'isl',
    [['osl 7', [1, 2]]],
  ],
  [
    'takes positions as loads, if no parameter has numbers',
    [{ variation: 'a' }, { variation: 'b' }],
    undefined,
    [['', [0, 1]]],
  ],
  ['accepts a single point', [{ concurrency: '4' }], 'concurrency', [['', [4]]]],
  ['accepts no points', [], undefined, []],
])('%s', (_, parameters, load, groups) => {
  const grouped = groupByLoad(parameters.map(each => ({ parameters: each })));
  expect(grouped.parameter).toBe(load);
  expect(grouped.groups.map(({ name, loads }) => [name, loads])).toEqual(groups);
});
