import type { Run } from '../../run/run.ts';

/** Totals are not comparable if the longest run exceeds the shortest by more than this factor. */
const MAX_LENGTH_RATIO = 1.2;

/** The durations of the runs on both sides. */
export interface RunLengths {
  /** The duration of each run in seconds; 1 for all runs if one of them is unknown. */
  readonly seconds: readonly [readonly number[], readonly number[]];
  /** Whether the runs differ so much in length that totals are not comparable. */
  readonly differ: boolean;
}

/** Measures the profiling periods of runs or, if they are unknown, the runs. */
export function measureLengths(base: readonly Run[], others: readonly Run[]): RunLengths {
  const known = [...base, ...others].flatMap(run => readSeconds(run) ?? []);
  const areKnown = known.length === base.length + others.length;
  const list = (runs: readonly Run[]): number[] => runs.map(run => (areKnown ? readSeconds(run)! : 1));
  const differ = known.length > 1 && Math.max(...known) > MAX_LENGTH_RATIO * Math.min(...known);
  return { seconds: [list(base), list(others)], differ };
}

function readSeconds({ times }: Run): number | undefined {
  const seconds = times.profilingSeconds ?? times.seconds;
  return seconds !== undefined && seconds > 0 ? seconds : undefined;
}
