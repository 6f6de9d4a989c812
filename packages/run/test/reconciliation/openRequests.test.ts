import { expect, test } from 'vitest';
import { OpenRequests } from '../../src/reconciliation/openRequests.ts';

type Times = readonly [startS: number, endS: number];

function create(requests: readonly Times[]): OpenRequests {
  const open = new OpenRequests();
  for (const [start, end] of requests) open.add(start * 1e9, end * 1e9);
  return open;
}

const toRange = ([start, end]: Times): { startNs: number; endNs: number } => ({
  startNs: start * 1e9,
  endNs: end * 1e9,
});

test.each<[readonly Times[], Times, number]>([
  [[], [0, 10], 0],
  [[[0, 1]], [2, 10], 0],
  [
    [
      [0, 1],
      [0, 3],
      [2, 9],
      [9, 20],
    ],
    [2, 10],
    2,
  ],
  [[[0, 2.1]], [2, 2.2], 1],
  [[[-5, -1]], [0, 1], 1],
])('of the requests %j, counts those that ended in %j s', (requests, range, count) => {
  expect(create(requests).countEnded(toRange(range))).toBe(count);
});

test.each<[readonly Times[], Times, object | undefined]>([
  [[], [0, 10], undefined],
  [[[1, 2]], [3, 10], undefined],
  [[[1, 20]], [3, 10], { startNs: 3.25e9, endNs: 10e9, requests: 1 }],
  [
    [
      [5, 20],
      [6, 20],
    ],
    [3, 10],
    { startNs: 5.25e9, endNs: 10e9, requests: 2 },
  ],
  [
    [
      [1, 4],
      [5, 20],
    ],
    [3, 10],
    { startNs: 5.25e9, endNs: 10e9, requests: 1 },
  ],
  [[[9.9, 20]], [3, 10], undefined],
])('finds the part in which the requests %j were open in %j s', (requests, range, expected) => {
  expect(create(requests).findOpen(toRange(range))).toEqual(expected);
});

test('searches thousands of ranges of a run of a day in a short time', () => {
  const day = Array.from({ length: 86_400 }, (_, i): Times => [i, i + 0.5]);
  const open = create(day);
  const found = day.filter(([start]) => open.findOpen(toRange([start, 86_400])) !== undefined);
  expect(found).toEqual([]);
  expect(open.countEnded(toRange([0, 86_400]))).toBe(86_400);
}, 5000);

test('accepts a damaged time far in the future', () => {
  const open = create([
    [1, 5e9],
    [2, 3],
  ]);
  expect(open.findOpen(toRange([4, 10]))).toMatchObject({ requests: 1 });
});
