import { ArrivalClock } from '@org/core';
import { expect, test } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import { type ArrivalTime, SocketReads } from '../../src/http/socketReads.ts';

/** A part of a response: the time at which it is dated, and the number of bytes read from the socket until then. */
type Part = readonly [atMs: number, bytesRead: number];

test.each<[string, readonly Part[], readonly number[]]>([
  ['a read of one part is dated at the poll', [[4, 10]], [1]],
  [
    'all parts of a read are dated at the read, because some may have arrived after the poll',
    [
      [4, 10],
      [5, 10],
    ],
    [5, 5],
  ],
  [
    'a second read of a socket in one iteration is dated at the read',
    [
      [4, 10],
      [6, 20],
    ],
    [1, 6],
  ],
])('%s', (_, parts, expected) => {
  let nowMs = 1;
  const clock = new RunClock({ nowNs: () => 0n, monotonicMs: () => nowMs }, { wallNs: 0n, monotonicMs: 0 });
  const arrivals = new ArrivalClock(
    () => clock.nowNs(),
    { idleTime: 0 },
    () => {},
  );
  // Another socket is read first.
  arrivals.readPollNs();
  const reads = new SocketReads(clock, arrivals);
  const dated: ArrivalTime[] = [];
  for (const [atMs, bytesRead] of parts) {
    nowMs = atMs;
    dated.push(reads.date(bytesRead));
  }
  expect(dated.map(({ atNs }) => atNs / 1e6)).toEqual(expected);
});
