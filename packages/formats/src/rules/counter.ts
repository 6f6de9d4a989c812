import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { getRoundingError, isAtMost, isNear } from './tolerance.ts';
import { getNanoseconds, getNumber, getObject, listObjectItems, type Values } from './values.ts';

/**
 * Checks the statistics of a counter: the rate must be 0 if the total is 0, it must be consistent with the counting
 * time, and the rates of the timeslices must be in order.
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
  checkReset(report, path, stats, 'total');
}

/** Checks that the average rate is between the minimum and the maximum rate. */
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

/** Checks that the duration that a total and its rate imply is within the known span. */
export function checkDuration(
  report: Report,
  path: Path,
  total: number | undefined,
  rate: number | undefined,
  { atLeast, atMost: longest }: Span,
): void {
  if (!total || rate === undefined || total < 0 || rate < 0) return;
  if (rate === 0) {
    report('rate-duration', path, `is 0, but total is ${total}; rate is total divided by seconds`, rate);
    return;
  }
  const seconds = total / rate;
  const slack = (seconds * getRoundingError(rate)) / rate;
  const problem =
    seconds > longest * 1.05 + slack
      ? `the endpoint was scraped for ${longest.toPrecision(4)} s`
      : seconds + slack < atLeast * 0.99
        ? `its active timeslices span at least ${atLeast.toPrecision(4)} s`
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
 * Checks that a series with resets has an increase, which counts across resets, of at least its net delta.
 *
 * @param net name of the field with the net delta
 */
export function checkReset(report: Report, path: Path, stats: Values, net: 'total' | 'count'): void {
  const resets = getNumber(stats, 'resets');
  if (resets === undefined) return;
  if (resets < 1)
    report(
      'reset-increase',
      [...path, 'resets'],
      `is ${resets}; the field must be absent if there was no reset`,
      resets,
    );
  const block = getObject(stats, 'increase');
  const increase = block ? getNumber(block, net) : getNumber(stats, 'increase');
  const delta = getNumber(stats, net);
  if (increase === undefined || delta === undefined || isAtMost(delta, increase) || isNear(increase, delta))
    return;
  const place = block ? [...path, 'increase', net] : [...path, 'increase'];
  report(
    'reset-increase',
    place,
    `is ${increase}, less than ${net} (${delta}); the increase is the sum of all rises`,
    increase,
  );
}

/** Lower and upper bounds of the counting time of a total, in seconds. */
export interface Span {
  readonly atLeast: number;
  readonly atMost: number;
}

/** The span of a series without any time information. */
export const UNKNOWN_SPAN: Span = { atLeast: 0, atMost: Number.POSITIVE_INFINITY };

/**
 * Returns the bounds of the counting time of a series: at most the time from the first to the last scrape, and at least the
 * time from the end of the first active timeslice to the start of the last one. Without timeslices the lower
 * bound is 0, because a series can appear late.
 *
 * @param scraped seconds from the first to the last scrape of the endpoint; undefined if unknown
 */
export function findSpan(series: Values, key: 'total' | 'count', scraped: number | undefined): Span {
  const active = listObjectItems(series, 'timeslices', []).filter(
    ([slice]) => (getNumber(slice, key) ?? 0) > 0,
  );
  const [first, last] = [active[0]?.[0], active.at(-1)?.[0]];
  const from = first && getNanoseconds(first, 'end_ns');
  const to = last && getNanoseconds(last, 'start_ns');
  const between = from !== undefined && to !== undefined && to > from ? Number(to - from) / 1e9 : 0;
  return { atLeast: between, atMost: scraped ?? UNKNOWN_SPAN.atMost };
}
