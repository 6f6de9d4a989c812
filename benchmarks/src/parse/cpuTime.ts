import { cpuUsage } from 'node:process';
import { computeMedian } from '../measure/numbers.ts';

const WARM_UP_US = 400_000;
const MEASURE_US = 600_000;
const MIN_BATCH_US = 5_000;
const MIN_BATCHES = 9;

/**
 * Measures the CPU time of one round in µs: the median of many batches, after a warm-up.
 *
 * Uses the CPU time of all threads, including garbage collection, because a busy machine affects it much less
 * than elapsed time.
 */
export function measureMedianUs(round: () => void): number {
  const rounds = countRounds(round, WARM_UP_US);
  const perBatch = Math.ceil((rounds * MIN_BATCH_US) / WARM_UP_US);
  const times: number[] = [];
  for (let spent = 0; spent < MEASURE_US || times.length < MIN_BATCHES; spent += times.at(-1)! * perBatch) {
    const start = cpuUsage();
    for (let i = 0; i < perBatch; i++) round();
    times.push(elapsedUs(start) / perBatch);
  }
  return computeMedian(times);
}

function countRounds(round: () => void, us: number): number {
  const start = cpuUsage();
  let rounds = 0;
  for (; elapsedUs(start) < us; rounds++) round();
  return rounds;
}

function elapsedUs(start: ReturnType<typeof cpuUsage>): number {
  const { user, system } = cpuUsage(start);
  return user + system;
}
