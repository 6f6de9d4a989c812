import { cpuUsage } from 'node:process';

const WARM_UP_US = 400_000;
const MEASURE_US = 600_000;
const SHORTEST_BATCH_US = 5_000;
const FEWEST_BATCHES = 9;

/**
 * Processor time of one round in µs: the median of many batches, once the code is compiled.
 *
 * Processor time of all threads, garbage collection included, and not time on the wall: a busy machine lengthens the one
 * much less than the other.
 */
export function medianUs(round: () => void): number {
  const rounds = roundsIn(round, WARM_UP_US);
  const perBatch = Math.ceil((rounds * SHORTEST_BATCH_US) / WARM_UP_US);
  const times: number[] = [];
  for (
    let spent = 0;
    spent < MEASURE_US || times.length < FEWEST_BATCHES;
    spent += times.at(-1)! * perBatch
  ) {
    const begin = cpuUsage();
    for (let i = 0; i < perBatch; i++) round();
    times.push(sinceUs(begin) / perBatch);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1]!;
}

function roundsIn(round: () => void, us: number): number {
  const begin = cpuUsage();
  let rounds = 0;
  for (; sinceUs(begin) < us; rounds++) round();
  return rounds;
}

function sinceUs(begin: ReturnType<typeof cpuUsage>): number {
  const { user, system } = cpuUsage(begin);
  return user + system;
}
