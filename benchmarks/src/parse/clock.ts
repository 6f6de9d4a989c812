import { performance } from 'node:perf_hooks';

const WARM_UP_MS = 300;
const MEASURE_MS = 500;
const FEWEST_ROUNDS = 9;

/** Time of one round in µs: the median of many, after as many that are not counted as it takes to be compiled. */
export function medianUs(round: () => void): number {
  roundsFor(round, WARM_UP_MS);
  const times = roundsFor(round, MEASURE_MS).sort((a, b) => a - b);
  return times[times.length >> 1]! * 1e3;
}

function roundsFor(round: () => void, ms: number): number[] {
  const times: number[] = [];
  const end = performance.now() + ms;
  while (times.length < FEWEST_ROUNDS || performance.now() < end) {
    const begin = performance.now();
    round();
    times.push(performance.now() - begin);
  }
  return times;
}
