import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { asObject, getField, getNanoseconds, getObject, getText, type Values } from './values.ts';

/**
 * The period that the statistics cover. A time is undefined if the summary does not state it or states no
 * time zone.
 */
export interface Period {
  readonly startNs: bigint | undefined;
  readonly endNs: bigint | undefined;
}

/** A time zone at the end of an ISO 8601 time. */
const TIME_ZONE = /(Z|[+-]\d{2}:?\d{2})$/i;

/** The parts of an ISO 8601 time: year, month, day, hour, minute, second, hour and minute of the offset. */
const TIME_PARTS = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-](\d\d):?(\d\d))?$/i;

/** Reports whether an ISO 8601 time exists, unlike 30 February and 25:00. A leap second exists. */
export function isPossibleTime(text: string): boolean {
  const parts = TIME_PARTS.exec(text)
    ?.slice(1)
    .map(part => Number(part ?? 0));
  if (!parts) return false;
  const [year, month, day, hour, minute, second, offsetHours, offsetMinutes] = parts as Required<
    typeof parts
  >;
  const days = new Date(Date.UTC(year!, month!, 0)).getUTCDate();
  const isDate = month! >= 1 && month! <= 12 && day! >= 1 && day! <= days;
  return (
    isDate && hour! <= 23 && minute! <= 59 && second! <= 60 && offsetHours! <= 23 && offsetMinutes! <= 59
  );
}

/** Reports a time that has the format of ISO 8601, but does not exist. The schema check reports other formats. */
function checkPossible(report: Report, path: Path, text: string | undefined): void {
  if (text !== undefined && TIME_PARTS.test(text) && !isPossibleTime(text))
    report('field-format', path, `is ${text}; there is no such time`, text);
}

/** Unit of a current Unix time by its number of digits, which does not change between 2001 and 2286. */
const UNIT_BY_DIGITS: Readonly<Record<number, string>> = {
  10: 'seconds',
  13: 'milliseconds',
  16: 'microseconds',
};

/** Checks that a timestamp is a Unix time in nanoseconds, which has 19 digits from 2001 to 2262, the end of int64. */
export function checkTimestamp(report: Report, path: Path, ns: bigint): void {
  const digits = String(ns < 0n ? -ns : ns).length;
  if (ns > 0n && digits === 19) return;
  const unit = ns > 0n ? UNIT_BY_DIGITS[digits] : undefined;
  const hint = unit ? `; it looks like ${unit}` : '';
  report('timestamp-digits', path, `is ${ns}; a Unix time in nanoseconds has 19 digits${hint}`, ns);
}

/**
 * Checks that no end time is before its start time, and returns the period: the profiling phase if the
 * summary has `profiling_start_ns` and `profiling_end_ns`, or `phase_time_ranges`, otherwise the whole collection. Times
 * without a time zone are compared only with each other.
 */
export function checkTimes(report: Report, path: Path, summary: Values): Period {
  const start = getText(summary, 'start_time');
  const end = getText(summary, 'end_time');
  checkPossible(report, [...path, 'start_time'], start);
  checkPossible(report, [...path, 'end_time'], end);
  if (start !== undefined && end !== undefined && isAfter(start, end))
    report('time-order', [...path, 'end_time'], `is ${end}, before start_time (${start})`, end);
  const profiling = checkProfiling(report, path, summary);
  for (const key of ['marks', 'settling', 'idle_periods']) checkListedTimes(report, path, summary, key);
  const range = getPhaseRange(summary, 'profiling');
  return {
    startNs: profiling.startNs ?? range.startNs ?? parseNanoseconds(start),
    endNs: profiling.endNs ?? range.endNs ?? parseNanoseconds(end),
  };
}

/**
 * Tolerance at the ends of a phase of AIPerf, which selects samples by the phase in which their scrape was made, not by
 * their time.
 */
const PHASE_SLACK_NS = 1_000_000_000n;

/** Returns the time range of a phase, with a tolerance. Its times are undefined if the summary does not contain it. */
export function getPhaseRange(summary: Values, phase: string): Period {
  const range = getObject(getObject(summary, 'phase_time_ranges') ?? {}, phase) ?? {};
  const [startNs, endNs] = ['start_ns', 'end_ns'].map(key => getNanoseconds(range, key));
  return {
    startNs: startNs === undefined ? undefined : startNs - PHASE_SLACK_NS,
    endNs: endNs === undefined ? undefined : endNs + PHASE_SLACK_NS,
  };
}

function isAfter(start: string, end: string): boolean {
  return TIME_ZONE.test(start) === TIME_ZONE.test(end) && Date.parse(start) > Date.parse(end);
}

function checkProfiling(report: Report, path: Path, summary: Values): Period {
  const startNs = getNanoseconds(summary, 'profiling_start_ns');
  const endNs = getNanoseconds(summary, 'profiling_end_ns');
  if (startNs !== undefined) checkTimestamp(report, [...path, 'profiling_start_ns'], startNs);
  if (endNs !== undefined) checkTimestamp(report, [...path, 'profiling_end_ns'], endNs);
  if (startNs !== undefined && endNs !== undefined && endNs < startNs)
    report(
      'time-order',
      [...path, 'profiling_end_ns'],
      `is ${endNs}, before profiling_start_ns (${startNs})`,
      endNs,
    );
  return { startNs, endNs };
}

/** Converts an ISO 8601 time to nanoseconds; undefined if it is missing, invalid or without a time zone. */
function parseNanoseconds(time: string | undefined): bigint | undefined {
  const milliseconds = time !== undefined && TIME_ZONE.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds) * 1_000_000n;
}

/** Pairs of an earlier and a later time of the same object. */
const ORDERED_TIMES: readonly (readonly [string, string])[] = [
  ['start_ns', 'end_ns'],
  ['previous_ns', 'at_ns'],
];

/**
 * Checks every time in a list of objects, such as the outages of an endpoint: its digits, and that no end is before its
 * start.
 */
export function checkListedTimes(report: Report, path: Path, values: Values, key: string): void {
  const list = getField(values, key);
  if (!Array.isArray(list)) return;
  list.forEach((item, index) => {
    const entry = asObject(item);
    if (entry) checkEntryTimes(report, [...path, key, index], entry);
  });
}

function checkEntryTimes(report: Report, path: Path, entry: Values): void {
  for (const name of Object.keys(entry).filter(key => key.endsWith('_ns'))) {
    const ns = getNanoseconds(entry, name);
    if (ns !== undefined) checkTimestamp(report, [...path, name], ns);
  }
  for (const [earlier, later] of ORDERED_TIMES) {
    const [earlierNs, laterNs] = [getNanoseconds(entry, earlier), getNanoseconds(entry, later)];
    if (earlierNs !== undefined && laterNs !== undefined && laterNs < earlierNs)
      report('time-order', [...path, later], `is ${laterNs}, before ${earlier} (${earlierNs})`, laterNs);
  }
}
