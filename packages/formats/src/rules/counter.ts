import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import type { Span } from './span.ts';
import { atMost, near, rounding } from './tolerance.ts';
import { numberAt, objectAt, type Values } from './values.ts';

/**
 * A counter: no rate without a total, rates of slices in order, and a rate that fits the time in which the
 * endpoint was scraped. Seed 001, "Counter Stats Fields" and "Counter Normalization".
 */
export function checkCounter(report: Report, path: Path, stats: Values, span: Span): void {
  const total = numberAt(stats, 'total');
  const rate = numberAt(stats, 'rate');
  if (total === 0 && rate !== undefined && rate > 0)
    report(
      'counter-idle',
      [...path, 'rate'],
      `is ${rate} although total is 0; rate is total divided by seconds`,
      rate,
    );
  checkRateOrder(report, path, stats);
  checkDuration(report, [...path, 'rate'], total, rate, span);
  checkReset(report, path, stats, 'total');
}

/** The rates between which an average lies. */
export function checkRateOrder(report: Report, path: Path, stats: Values): void {
  const [min, avg, max] = ['rate_min', 'rate_avg', 'rate_max'].map(key => numberAt(stats, key));
  if (min === undefined || avg === undefined || max === undefined) return;
  if (atMost(min, avg + rounding(avg)) && atMost(avg, max + rounding(avg))) return;
  report(
    'counter-rates',
    [...path, 'rate_avg'],
    `is ${avg}, outside of rate_min (${min}) and rate_max (${max})`,
    avg,
  );
}

/** A total and its rate tell a duration, which has to fit what is known of it. */
export function checkDuration(
  report: Report,
  path: Path,
  total: number | undefined,
  rate: number | undefined,
  { atLeast, atMost: longest }: Span,
): void {
  if (!total || rate === undefined || total < 0 || rate < 0) return;
  if (rate === 0) {
    report('rate-duration', path, `is 0, but the total is ${total}; rate is total divided by seconds`, rate);
    return;
  }
  const seconds = total / rate;
  const slack = (seconds * rounding(rate)) / rate;
  const problem =
    seconds > longest * 1.05 + slack
      ? `the endpoint was scraped for ${longest.toPrecision(4)} s`
      : seconds + slack < atLeast * 0.99
        ? `by its timeslices it took ${atLeast.toPrecision(4)} s or more`
        : undefined;
  if (problem)
    report(
      'rate-duration',
      path,
      `is ${rate}, with which ${total} are reached in ${seconds.toPrecision(4)} s; ${problem}`,
      rate,
    );
}

/**
 * A reset comes with what was counted across it, and that is at least the net delta.
 * `net` is the field that has the net delta.
 */
export function checkReset(report: Report, path: Path, stats: Values, net: 'total' | 'count'): void {
  const resets = numberAt(stats, 'resets');
  if (resets === undefined) return;
  if (resets < 1)
    report(
      'reset-increase',
      [...path, 'resets'],
      `is ${resets}; without a reset the field is absent`,
      resets,
    );
  const block = objectAt(stats, 'increase');
  const increase = block ? numberAt(block, net) : numberAt(stats, 'increase');
  const delta = numberAt(stats, net);
  if (increase === undefined || delta === undefined || atMost(delta, increase) || near(increase, delta))
    return;
  const place = block ? [...path, 'increase', net] : [...path, 'increase'];
  report(
    'reset-increase',
    place,
    `is ${increase}, less than ${net} (${delta}); it counts all rises`,
    increase,
  );
}
