import { RunInputError, type RunRecord } from '@org/record';
import { parseTimeNs } from '@org/record/open';
import { PlanError } from '../plan/planError.ts';

type Period = RunRecord['period'];

/** The times that a time range is resolved against: the profiling period, and the start and end of the run. */
export type RunTimes = Pick<RunRecord, 'period' | 'startNs' | 'endNs'>;

/** The time range to export, as text. Fields that are not set have the values of the profiling period. */
export interface TimeRange {
  readonly start?: string;
  readonly end?: string;
  /** `START..END`, `profiling`, `run`, `warmup` or `aiperf`; replaces `start` and `end`. */
  readonly window?: string;
}

/** The periods of the named windows. */
const NAMED_WINDOWS: Readonly<Record<string, (run: RunTimes) => Period>> = {
  profiling: ({ period }) => period,
  run: ({ startNs, endNs }) => ({ startNs, endNs }),
  warmup: ({ startNs, period }) => ({ startNs, endNs: period.startNs - 1n }),
  // The scrapes of this window are selected by their tags; the profiling phase is the same.
  aiperf: ({ period }) => period,
};

const EXPECTED_TIME =
  'expected seconds relative to the start of profiling (10, -2.5), an ISO 8601 timestamp (2026-11-21T08:15:30Z), or Unix time in nanoseconds';

/**
 * Returns the period of a time range; undefined if no field is set. Throws `PlanError` if a value is invalid,
 * and `RunInputError` if the range ends before its start or is outside the run.
 */
export function resolveTimeRange(range: TimeRange, run: RunTimes): Period | undefined {
  const period = parseTimeRange(range, run);
  if (period === undefined || (period.startNs <= run.endNs && period.endNs >= run.startNs)) return period;
  const [start, end] = [run.startNs, run.endNs].map(ns => formatSeconds(ns - run.period.startNs));
  throw new RunInputError(
    `the time range is outside the run, which lasted from ${start} s to ${end} s relative to the start of profiling`,
  );
}

function parseTimeRange({ start, end, window }: TimeRange, run: RunTimes): Period | undefined {
  if (window !== undefined && (start !== undefined || end !== undefined))
    throw new PlanError('window', 'cannot be used together with a start or an end');
  if (window !== undefined) return parseWindow(window, run);
  if (start === undefined && end === undefined) return undefined;
  return checkOrder({
    startNs: start === undefined ? run.period.startNs : parseTime('start', start, run),
    endNs: end === undefined ? run.period.endNs : parseTime('end', end, run),
  });
}

function parseWindow(window: string, run: RunTimes): Period {
  const getPeriod = Object.hasOwn(NAMED_WINDOWS, window) ? NAMED_WINDOWS[window] : undefined;
  if (getPeriod) return checkOrder(getPeriod(run));
  const bounds = window.split('..');
  if (bounds.length !== 2)
    throw new PlanError('window', `expected START..END, ${Object.keys(NAMED_WINDOWS).join(', ')}`, window);
  const [start, end] = bounds as [string, string];
  return checkOrder({
    startNs: start.trim() === '' ? run.period.startNs : parseTime('window', start, run),
    endNs: end.trim() === '' ? run.period.endNs : parseTime('window', end, run),
  });
}

function checkOrder(period: Period): Period {
  if (period.startNs <= period.endNs) return period;
  throw new RunInputError(
    `the time range ends ${formatSeconds(period.startNs - period.endNs)} s before its start`,
  );
}

function parseTime(field: keyof TimeRange, value: string, { period }: RunTimes): bigint {
  const text = value.trim();
  if (/^\d{15,19}$/.test(text)) return BigInt(text);
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)s?$/.test(text))
    return period.startNs + toNanoseconds(Number(text.replace('s', '')));
  const ns = parseTimeNs(text);
  if (ns !== undefined) return ns;
  throw new PlanError(field, EXPECTED_TIME, value);
}

function toNanoseconds(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1e9));
}

function formatSeconds(ns: bigint): string {
  return String(Number(ns) / 1e9);
}
