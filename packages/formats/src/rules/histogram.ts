import { STAT_COLUMNS } from '../csv/columns.ts';
import type { Path } from '../json/path.ts';
import { type BucketRow, checkBuckets, findObservedRange } from './buckets.ts';
import { checkDuration, checkIncrease, findSpan, type Span } from './counter.ts';
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
 * Checks a histogram series: the buckets must match the count, the mean must be sum / count, and percentile
 * estimates must not decrease and must be in the range of the observations.
 *
 * @param scrapeSeconds time from the first to the last scrape of the endpoint; undefined if unknown
 */
export function checkHistogram(
  report: Report,
  path: Path,
  series: Values,
  scrapeSeconds: number | undefined,
): void {
  const stats = getObject(series, 'stats');
  if (!stats) return;
  const statsPath = [...path, 'stats'];
  const buckets = getObject(series, 'buckets');
  checkBlock(report, statsPath, stats, [...path, 'buckets'], buckets);
  checkPresence(report, path, stats, buckets);
  checkRates(report, statsPath, stats, findSpan(series, 'count', scrapeSeconds));
  checkIncrease(report, statsPath, stats, 'count');
  const increase = getObject(stats, 'increase');
  if (increase) {
    const place = [...statsPath, 'increase'];
    checkBlock(report, place, increase, [...place, 'buckets'], getObject(increase, 'buckets'));
    checkRates(report, place, increase, findSpan(series, 'count', scrapeSeconds));
  }
  checkPercentileBounds(report, path, increase ?? stats, getObject(series, 'percentile_bounds'));
}

/** Checks the count, sum, mean, estimates and buckets of one object: the statistics of a series or its `increase`. */
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

/** Checks that the mean is sum / count, within rounding. The field names differ between layouts. */
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

/** Checks that percentile estimates do not decrease and are in the range of the observations. */
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

/**
 * Checks that a histogram with observations has buckets and estimates, and that an empty histogram has no
 * statistics.
 */
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

/** Statistics that must be absent or 0 in a histogram without observations. */
const OBSERVATION_STATS = STAT_COLUMNS.histogram.filter(key => key !== 'count');

function checkEmpty(report: Report, path: Path, stats: Values): void {
  const extra = OBSERVATION_STATS.find(key => Object.hasOwn(stats, key) && stats[key] !== 0);
  if (extra)
    report(
      'histogram-empty',
      [...path, 'stats', extra],
      'is present, but count is 0; a series without observations has no other statistics',
      stats[extra],
    );
}

/** Checks that `count_rate` implies a possible duration, and that `sum_rate` is avg × count_rate. */
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
 * Checks that the bounds of each percentile are in order and contain its estimate. An estimate by linear
 * interpolation can be outside, because the bounds take the sum of the histogram into account and the
 * interpolation does not.
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
