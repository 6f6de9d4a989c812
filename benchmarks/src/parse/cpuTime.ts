import { cpuUsage } from 'node:process';
import { computeMedian } from '../measure/numbers.ts';

const WARM_UP_US = 400_000;
const MEASURE_US = 600_000;
const MIN_BATCH_US = 5_000;
const MIN_BATCHES = 9;

/**
 * Measures the CPU time of one round in microseconds: the median of many batches, after a warm-up.
 *
 * The CPU time covers all threads, including garbage collection. Unlike elapsed time, CPU time depends little
 * on other load on the machine.
 */
export function measureMedianUs(round: () => void): number {
  const rounds = countRounds(round, WARM_UP_US);
  const roundsPerBatch = Math.ceil((rounds * MIN_BATCH_US) / WARM_UP_US);
  const times: number[] = [];
  for (
    let measuredUs = 0;
    measuredUs < MEASURE_US || times.length < MIN_BATCHES;
    measuredUs += times.at(-1)! * roundsPerBatch
  ) {
    const start = cpuUsage();
    for (let i = 0; i < roundsPerBatch; i++) round();
    times.push(measureCpuUs(start) / roundsPerBatch);
  }
  return computeMedian(times);
}

function countRounds(round: () => void, durationUs: number): number {
  const start = cpuUsage();
  let rounds = 0;
  for (; measureCpuUs(start) < durationUs; rounds++) round();
  return rounds;
}

function measureCpuUs(start: ReturnType<typeof cpuUsage>): number {
  const { user, system } = cpuUsage(start);
  return user + system;
}
