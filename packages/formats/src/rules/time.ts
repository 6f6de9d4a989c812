import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { nanosecondsAt, textAt, type Values } from './values.ts';

/** The period that the statistics speak of, where the summary says it beyond doubt. */
export interface Period {
  readonly startNs: bigint | undefined;
  readonly endNs: bigint | undefined;
}

const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i;

/** Seconds, milliseconds, microseconds, nanoseconds since 1970, by their number of digits in this century. */
const unitByDigits: Readonly<Record<number, string>> = {
  10: 'seconds',
  13: 'milliseconds',
  16: 'microseconds',
};

/** A time in nanoseconds since 1970 has 19 digits from 2001 to 2286 (the end of int64 is in 2262). */
export function checkTimestamp(report: Report, path: Path, ns: bigint): void {
  const digits = String(ns < 0n ? -ns : ns).length;
  if (ns > 0n && digits === 19) return;
  const unit = ns > 0n ? unitByDigits[digits] : undefined;
  const hint = unit ? `; it looks like ${unit}` : '';
  report('timestamp-digits', path, `is ${ns}; nanoseconds since 1970 have 19 digits${hint}`, ns);
}

/**
 * The start is not after the end. Times without a zone are compared with each other only. The period is that of
 * the profiling where the summary has it to the nanosecond, and the whole collection otherwise.
 */
export function checkTimes(report: Report, path: Path, summary: Values): Period {
  const start = textAt(summary, 'start_time');
  const end = textAt(summary, 'end_time');
  if (start !== undefined && end !== undefined && isAfter(start, end))
    report('time-order', [...path, 'end_time'], `is ${end}, before start_time (${start})`, end);
  const profiling = checkProfiling(report, path, summary);
  return {
    startNs: profiling.startNs ?? nanosecondsOf(start),
    endNs: profiling.endNs ?? nanosecondsOf(end),
  };
}

function isAfter(start: string, end: string): boolean {
  return hasZone.test(start) === hasZone.test(end) && Date.parse(start) > Date.parse(end);
}

function checkProfiling(report: Report, path: Path, summary: Values): Period {
  const startNs = nanosecondsAt(summary, 'profiling_start_ns');
  const endNs = nanosecondsAt(summary, 'profiling_end_ns');
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

function nanosecondsOf(time: string | undefined): bigint | undefined {
  const milliseconds = time !== undefined && hasZone.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds) * 1_000_000n;
}
