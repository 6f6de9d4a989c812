import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { getRoundingError, isAtMost, isNear } from './tolerance.ts';
import { getField, getNanoseconds, getNumber, getObject, listObjectItems, type Values } from './values.ts';

/**
 * Checks the statistics of a counter: the rate must be 0 if the total is 0, `total / rate` must be a possible
 * duration, and `rate_avg` must be between `rate_min` and `rate_max`.
 */
export function checkCounter(report: Report, path: Path, stats: Values, span: Span): void {
  const total = getNumber(stats, 'total');
  const rate = getNumber(stats, 'rate');
  if (total === 0 && rate !== undefined && rate > 0)
    report(
      'counter-idle',
      [...path, 'rate'],
      `is ${rate}, but total is 0; rate is total divided by seconds`,
      rate,
    );
  checkRateOrder(report, path, stats);
  checkDuration(report, [...path, 'rate'], total, rate, span);
  checkIncrease(report, path, stats, 'total');
  checkIncreaseRate(report, path, stats, span);
}

/** Checks that `increase_rate` implies a possible duration. */
function checkIncreaseRate(report: Report, path: Path, stats: Values, span: Span): void {
  const increase = getNumber(stats, 'increase');
  checkDuration(report, [...path, 'increase_rate'], increase, getNumber(stats, 'increase_rate'), span);
}

/** Checks that the average rate of the timeslices is between the minimum and the maximum rate. */
export function checkRateOrder(report: Report, path: Path, stats: Values): void {
  const [min, avg, max] = ['rate_min', 'rate_avg', 'rate_max'].map(key => getNumber(stats, key));
  if (min === undefined || avg === undefined || max === undefined) return;
  if (isAtMost(min, avg + getRoundingError(avg)) && isAtMost(avg, max + getRoundingError(avg))) return;
  report(
    'counter-rates',
    [...path, 'rate_avg'],
    `is ${avg}, not between rate_min (${min}) and rate_max (${max})`,
    avg,
  );
}

/** Checks that the duration that a total and its rate imply, `total / rate`, is within the bounds of the span. */
export function checkDuration(
  report: Report,
  path: Path,
  total: number | undefined,
  rate: number | undefined,
  { minSeconds, maxSeconds }: Span,
): void {
  if (!total || rate === undefined || total < 0 || rate < 0) return;
  if (rate === 0) {
    report('rate-duration', path, `is 0, but total is ${total}; rate is total divided by seconds`, rate);
    return;
  }
  const seconds = total / rate;
  const slack = (seconds * getRoundingError(rate)) / rate;
  const problem =
    seconds > maxSeconds * 1.05 + slack
      ? `the endpoint was scraped for ${maxSeconds.toPrecision(4)} s`
      : seconds + slack < minSeconds * 0.99
        ? `its active timeslices span at least ${minSeconds.toPrecision(4)} s`
        : undefined;
  if (problem)
    report(
      'rate-duration',
      path,
      `is ${rate}, which means that ${total} were counted in ${seconds.toPrecision(4)} s, but ${problem}`,
      rate,
    );
}

/**
 * Checks the increase of a series that was reset or created in the run. The increase is summed across resets, or counted
 * from 0, so it is at least the delta from the first to the last sample.
 *
 * @param deltaKey name of the field with the delta
 */
export function checkIncrease(report: Report, path: Path, stats: Values, deltaKey: 'total' | 'count'): void {
  const resets = getNumber(stats, 'resets');
  if (resets !== undefined && resets < 1)
    report(
      'reset-increase',
      [...path, 'resets'],
      `is ${resets}; the field must be absent if there was no reset`,
      resets,
    );
  const block = getObject(stats, 'increase');
  const increase = block ? getNumber(block, deltaKey) : getNumber(stats, 'increase');
  const delta = getNumber(stats, deltaKey);
  if (increase === undefined) return;
  const place = block ? [...path, 'increase', deltaKey] : [...path, 'increase'];
  if (resets === undefined && getField(stats, 'created_in_run') !== true)
    report(
      'reset-increase',
      place,
      `is ${increase}, but the series has neither resets nor created_in_run; without them, there is no increase`,
      increase,
    );
  if (delta === undefined || isAtMost(delta, increase) || isNear(increase, delta)) return;
  report(
    'reset-increase',
    place,
    `is ${increase}, less than ${deltaKey} (${delta}); the increase is the sum of all rises`,
    increase,
  );
}

/** Bounds of the time in which a total was counted. */
export interface Span {
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

/** The bounds for a series without any timestamps. */
export const UNKNOWN_SPAN: Span = { minSeconds: 0, maxSeconds: Number.POSITIVE_INFINITY };

/**
 * Returns the bounds of the time in which a series was counted. The maximum is the time from the first to the
 * last scrape. The minimum is the time from the end of the first timeslice with a change to the start of the
 * last timeslice with a change, or 0 without timeslices, because a series can appear late.
 *
 * @param scrapeSeconds time from the first to the last scrape of the endpoint; undefined if unknown
 */
export function findSpan(series: Values, key: 'total' | 'count', scrapeSeconds: number | undefined): Span {
  const active = listObjectItems(series, 'timeslices', []).filter(
    ([slice]) => (getNumber(slice, key) ?? 0) > 0,
  );
  const [first, last] = [active[0]?.[0], active.at(-1)?.[0]];
  const fromNs = first && getNanoseconds(first, 'end_ns');
  const toNs = last && getNanoseconds(last, 'start_ns');
  const minSeconds =
    fromNs !== undefined && toNs !== undefined && toNs > fromNs ? Number(toNs - fromNs) / 1e9 : 0;
  return { minSeconds, maxSeconds: scrapeSeconds ?? UNKNOWN_SPAN.maxSeconds };
}
