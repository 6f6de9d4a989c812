import { STAT_COLUMNS } from '../csv/columns.ts';
import type { Path } from '../json/path.ts';
import { type BucketRow, checkBuckets, findObservedRange } from './buckets.ts';
import { checkDuration, checkReset, findSpan, type Span } from './counter.ts';
import type { Report } from './findings.ts';
import { findDescent, getRoundingError, isAtMost, isNear } from './tolerance.ts';
import {
  asArray,
  ESTIMATE_KEYS,
  getField,
  getNumber,
  getObject,
  listNumbers,
  PERCENTILE_KEYS,
  type Values,
} from './values.ts';

/**
 * Checks a histogram: buckets must match the count, the mean must be sum / count, and percentile estimates must not decrease
 * and must be in buckets with observations.
 */
export function checkHistogram(
  report: Report,
  path: Path,
  series: Values,
  scraped: number | undefined,
): void {
  const stats = getObject(series, 'stats');
  if (!stats) return;
  const statsPath = [...path, 'stats'];
  const buckets = getObject(series, 'buckets');
  checkBlock(report, statsPath, stats, [...path, 'buckets'], buckets);
  checkPresence(report, path, stats, buckets);
  checkRates(report, statsPath, stats, findSpan(series, 'count', scraped));
  checkReset(report, statsPath, stats, 'count');
  const increase = getObject(stats, 'increase');
  if (increase) {
    const place = [...statsPath, 'increase'];
    checkBlock(report, place, increase, [...place, 'buckets'], getObject(increase, 'buckets'));
  }
  checkPercentileBounds(report, path, stats, getObject(series, 'percentile_bounds'));
}

/** Checks count, sum, mean, estimates and buckets of one delta. */
function checkBlock(
  report: Report,
  path: Path,
  stats: Values,
  bucketsPath: Path,
  buckets: Values | undefined,
): void {
  const count = getNumber(stats, 'count');
  const rows = buckets ? checkBuckets(report, bucketsPath, buckets, count) : [];
  checkAverage(report, path, stats, 'avg', 'sum', 'count');
  checkEstimates(report, path, stats, ESTIMATE_KEYS, rows);
}

/** Checks that the mean is sum / count, within rounding. The field names depend on the layout. */
export function checkAverage(
  report: Report,
  path: Path,
  stats: Values,
  ...[avgKey, sumKey, countKey]: [avg: string, sum: string, count: string]
): void {
  const avg = getNumber(stats, avgKey);
  const sum = getNumber(stats, sumKey);
  const count = getNumber(stats, countKey);
  if (avg === undefined || sum === undefined || !count || count < 0) return;
  const expected = sum / count;
  if (isNear(avg, expected, getRoundingError(sum) / count)) return;
  report(
    'histogram-average',
    [...path, avgKey],
    `is ${avg}, but ${sumKey} / ${countKey} is ${sum} / ${count} = ${expected}`,
    avg,
  );
}

/** Checks that estimates do not decrease and are in buckets with observations. */
export function checkEstimates(
  report: Report,
  path: Path,
  stats: Values,
  keys: readonly string[],
  rows: readonly BucketRow[],
): void {
  const estimates = listNumbers(stats, keys);
  checkPercentileOrder(report, path, estimates);
  const range = findObservedRange(rows);
  if (!range) return;
  for (const [key, value] of estimates) {
    const slack = getRoundingError(value);
    if (isAtMost(range.low, value + slack) && isAtMost(value, range.high + slack)) continue;
    report(
      'percentiles-range',
      [...path, key],
      `is ${value}, but according to the buckets all observations are between ${range.low} and ${range.high}`,
      value,
    );
    return;
  }
}

/** Checks that percentiles do not decrease. */
export function checkPercentileOrder(
  report: Report,
  path: Path,
  percentiles: readonly (readonly [key: string, value: number])[],
): void {
  const descent = findDescent(percentiles);
  if (!descent) return;
  const [key, value] = descent.after;
  const [lowerKey, lower] = descent.before;
  const message = `is ${value}, less than ${lowerKey} (${lower}); percentiles must not decrease`;
  report('percentiles-order', [...path, key], message, value);
}

function checkPresence(report: Report, path: Path, stats: Values, buckets: Values | undefined): void {
  const count = getNumber(stats, 'count');
  const wasReset = getNumber(stats, 'resets') !== undefined;
  if (count === 0 && !wasReset) checkEmpty(report, path, stats);
  if (!count || count < 0 || wasReset) return;
  if (!buckets)
    report(
      'buckets-missing',
      [...path, 'buckets'],
      `is missing, but count is ${count} and there was no reset`,
    );
  else if (
    Object.keys(buckets).length > 1 &&
    !('p50_estimate' in stats) &&
    (getNumber(stats, 'sum') ?? 0) >= 0
  )
    report(
      'percentiles-missing',
      [...path, 'stats'],
      `has no p1_estimate … p99_estimate, but the series has buckets and ${count} observations`,
    );
}

/** Statistics that need observations. Unknown fields are not checked. */
const OBSERVED = STAT_COLUMNS.histogram.filter(key => key !== 'count');

function checkEmpty(report: Report, path: Path, stats: Values): void {
  const extra = OBSERVED.find(key => Object.hasOwn(stats, key) && stats[key] !== 0);
  if (extra)
    report(
      'histogram-empty',
      [...path, 'stats', extra],
      'is present, but count is 0; a series without observations has no other statistics',
      stats[extra],
    );
}

function checkRates(report: Report, path: Path, stats: Values, span: Span): void {
  const count = getNumber(stats, 'count');
  const rate = getNumber(stats, 'count_rate');
  const avg = getNumber(stats, 'avg');
  const sumRate = getNumber(stats, 'sum_rate');
  checkDuration(report, [...path, 'count_rate'], count, rate, span);
  if (avg === undefined || rate === undefined || sumRate === undefined) return;
  const expected = avg * rate;
  if (isNear(sumRate, expected, Math.abs(expected) * 0.03)) return;
  report(
    'histogram-rates',
    [...path, 'sum_rate'],
    `is ${sumRate}, but avg × count_rate is ${expected}`,
    sumRate,
  );
}

/**
 * Checks that the bounds of a percentile are in order and contain its estimate. An estimate by linear interpolation can be
 * outside, because it does not use the sum of the histogram as the bounds do.
 */
function checkPercentileBounds(report: Report, path: Path, stats: Values, bounds: Values | undefined): void {
  if (!bounds) return;
  for (const key of PERCENTILE_KEYS) {
    const pair = asArray(getField(bounds, key));
    if (pair.length !== 2) continue;
    const low = typeof pair[0] === 'number' ? pair[0] : Number.NEGATIVE_INFINITY;
    const high = typeof pair[1] === 'number' ? pair[1] : Number.POSITIVE_INFINITY;
    const estimate = getNumber(stats, `${key}_estimate`);
    const place = [...path, 'percentile_bounds', key];
    if (!isAtMost(low, high))
      report('percentile-bounds', place, `are ${low} and ${high}; the lower bound must come first`);
    else if (estimate !== undefined && !(isAtMost(low, estimate) && isAtMost(estimate, high)))
      report(
        'percentile-outside',
        place,
        `are ${low} and ${high}, but ${key}_estimate is ${estimate}`,
        estimate,
      );
  }
}
