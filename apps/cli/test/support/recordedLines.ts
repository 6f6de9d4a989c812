import type { ObservedRun } from './observedRun.ts';

/** Reads the metadata of the recorded requests of a phase. */
export const readLines = ({ read }: ObservedRun, phase = 'profiling') =>
  read('profile_export.jsonl')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).metadata)
    .filter(metadata => metadata.benchmark_phase === phase);
/** Due times of the requests of a phase, in ms since the first one, rounded to the precision of JSON numbers. */
export const readDueTimes = (run: ObservedRun, phase?: string): number[] => {
  const times = readLines(run, phase)
    .map(({ credit_issued_ns: ns }) => ns / 1e6)
    .toSorted((a, b) => a - b);
  return times.map(ms => Math.round((ms - times[0]!) * 100) / 100);
};
export const computeGaps = (times: readonly number[]): number[] =>
  times.slice(1).map((ms, i) => ms - times[i]!);
/** Reports whether the requests of a phase were due at regular intervals. Delays of the machine have no effect. */
export const isRegular = (run: ObservedRun, phase?: string): boolean => {
  const gaps = computeGaps(readDueTimes(run, phase));
  return Math.max(...gaps) - Math.min(...gaps) < 0.5;
};
/** Delays between the end of a turn and the next turn of its session, in ms. */
export const readTurnDelays = (run: ObservedRun): number[] => {
  const lines = readLines(run);
  return lines.flatMap(line => {
    const previous = lines.find(
      other => other.session_num === line.session_num && other.turn_index === line.turn_index - 1,
    );
    return previous ? [(line.credit_issued_ns - previous.request_end_ns) / 1e6] : [];
  });
};
