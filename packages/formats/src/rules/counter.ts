import type { Path } from '../path.ts';
import type { Report } from './report.ts';
import { atMost, near, rounding } from './tolerance.ts';
import { numberAt, objectAt, type Values } from './values.ts';

/**
 * A counter: no rate without a total, rates of slices in order, and a rate that fits the time in which the
 * endpoint was scraped. Seed 001, "Counter Stats Fields" and "Counter Normalization".
 */
export function checkCounter(
  report: Report,
  path: Path,
  stats: Values,
  spanSeconds: number | undefined,
): void {
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
  checkDuration(report, [...path, 'rate'], total, rate, spanSeconds);
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

/** A total and its rate tell a duration. It cannot be longer than the endpoint was scraped. */
export function checkDuration(
  report: Report,
  path: Path,
  total: number | undefined,
  rate: number | undefined,
  spanSeconds: number | undefined,
): void {
  if (!total || !rate || spanSeconds === undefined || total < 0 || rate < 0) return;
  const seconds = total / rate;
  if (seconds <= spanSeconds * 1.05 + (seconds * rounding(rate)) / rate) return;
  report(
    'rate-duration',
    path,
    `is ${rate}, which takes ${seconds.toPrecision(4)} s to reach ${total}; the endpoint was scraped for ${spanSeconds.toPrecision(4)} s`,
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
