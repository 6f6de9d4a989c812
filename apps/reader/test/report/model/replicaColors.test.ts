import { expect, test } from 'vitest';
import { pickReplicaColor, pickReplicaColors } from '../../../src/report/model/replicaColors.ts';

const RUN = { endpoints: ['a', 'b', 'c', 'd', 'e', 'f'].map(name => ({ name })) } as unknown as Parameters<
  typeof pickReplicaColor
>[1];

test.each([
  [
    ['a', 'b', 'c'],
    ['server', 'third', 'second'],
  ],
  [
    ['b', 'c'],
    ['third', 'second'],
  ],
  [
    ['c', 'b'],
    ['second', 'third'],
  ],
  // Two series of one replica, and a sixth replica, do not have the color of another line.
  [
    ['b', 'b'],
    ['third', 'second'],
  ],
  [
    ['a', 'f'],
    ['server', 'third'],
  ],
  // A single line is about all servers.
  [['b'], ['server']],
])('the lines of the replicas %j have the colors %j', (names, expected) => {
  expect(pickReplicaColors(names, RUN)).toEqual(expected);
});

test('a replica has the same color in its own chart as in a chart with others', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  expect(names.map(name => pickReplicaColor(name, RUN))).toEqual(pickReplicaColors(names, RUN));
});
