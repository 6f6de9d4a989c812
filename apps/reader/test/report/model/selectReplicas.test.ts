import { expect, test } from 'vitest';
import type { Replica } from '../../../src/report/model/replica.ts';
import { selectDrawn } from '../../../src/report/model/selectReplicas.ts';

/** Creates replicas with the means 1, 2, 3 and so on. The replicas with the given means stopped responding. */
function createReplicas(count: number, stopped: readonly number[] = []): Replica[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `node-${i + 1}`,
    color: 'server',
    values: [i + 1],
    mean: i + 1,
    isHigh: false,
    ...(stopped.includes(i + 1) && { stop: 0 }),
  }));
}

test.each([
  [12, [], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], []],
  [
    60,
    [],
    [1, 2, 3, 30, 56, 57, 58, 59, 60],
    ['Drawn are 9 of 60: the 5 highest and the 3 lowest means, and the one nearest to the median.'],
  ],
  [
    60,
    [2, 20, 21, 22],
    [1, 2, 3, 20, 21, 30, 56, 57, 58, 59, 60],
    [
      'Drawn are 11 of 60: the 5 highest and the 3 lowest means, 3 of 4 that stopped responding, and the one nearest to the median.',
    ],
  ],
] as const)(
  'draws from %i replicas, where %j stopped, the replicas with the means %j',
  (count, stopped, means, omitted) => {
    const { drawn, omitted: sentence } = selectDrawn(createReplicas(count, stopped), 30.4);
    expect(drawn.map(({ mean }) => mean)).toEqual(means);
    expect(sentence).toEqual(omitted);
  },
);
