import { statColumns } from '../csv/columns.ts';
import type { Path } from '../json/path.ts';
import { type BucketRow, checkBuckets, observedRange } from './buckets.ts';
import { checkDuration, checkReset } from './counter.ts';
import type { Report } from './findings.ts';
import { type Span, spanOfSeries } from './span.ts';
import { atMost, firstDescent, near, rounding } from './tolerance.ts';
import {
  asArray,
  estimateKeys,
  field,
  numberAt,
  numbersAt,
  objectAt,
  percentileKeys,
  type Values,
} from './values.ts';

/**
 * A histogram: buckets and count agree, the mean is sum by count, the estimates ascend and lie where there
 * were observations. Seed 001, "Histogram Stats Fields" and "Field Presence Rules".
 */
export function checkHistogram(
  report: Report,
  path: Path,
  series: Values,
  scraped: number | undefined,
): void {
  const stats = objectAt(series, 'stats');
  if (!stats) return;
  const statsPath = [...path, 'stats'];
  const buckets = objectAt(series, 'buckets');
  checkBlock(report, statsPath, stats, [...path, 'buckets'], buckets);
  checkPresence(report, path, stats, buckets);
  checkRates(report, statsPath, stats, spanOfSeries(series, 'count', scraped));
  checkReset(report, statsPath, stats, 'count');
  const increase = objectAt(stats, 'increase');
  if (increase) {
    const place = [...statsPath, 'increase'];
    checkBlock(report, place, increase, [...place, 'buckets'], objectAt(increase, 'buckets'));
  }
  checkPercentileBounds(report, path, stats, objectAt(series, 'percentile_bounds'));
}

/** Count, sum, mean, estimates and buckets of one delta. */
function checkBlock(
  report: Report,
  path: Path,
  stats: Values,
  bucketsPath: Path,
  buckets: Values | undefined,
): void {
  const count = numberAt(stats, 'count');
  const rows = buckets ? checkBuckets(report, bucketsPath, buckets, count) : [];
  checkAverage(report, path, stats, 'avg', 'sum', 'count');
  checkEstimates(report, path, stats, estimateKeys, rows);
}

/** The mean is sum by count, exactly but for rounding. The three names differ between the layouts. */
export function checkAverage(
  report: Report,
  path: Path,
  stats: Values,
  ...[avgKey, sumKey, countKey]: [avg: string, sum: string, count: string]
): void {
  const avg = numberAt(stats, avgKey);
  const sum = numberAt(stats, sumKey);
  const count = numberAt(stats, countKey);
  if (avg === undefined || sum === undefined || !count || count < 0) return;
  const expected = sum / count;
  if (near(avg, expected, rounding(sum) / count)) return;
  report(
    'histogram-average',
    [...path, avgKey],
    `is ${avg}, but ${sumKey} / ${countKey} is ${sum} / ${count} = ${expected}`,
    avg,
  );
}

/** Estimates ascend, and stay where the buckets saw observations. */
export function checkEstimates(
  report: Report,
  path: Path,
  stats: Values,
  keys: readonly string[],
  rows: readonly BucketRow[],
): void {
  const estimates = numbersAt(stats, keys);
  checkPercentileOrder(report, path, estimates);
  const range = observedRange(rows);
  if (!range) return;
  for (const [key, value] of estimates) {
    const slack = rounding(value);
    if (atMost(range.low, value + slack) && atMost(value, range.high + slack)) continue;
    report(
      'percentiles-range',
      [...path, key],
      `is ${value}, but by the buckets all observations lie between ${range.low} and ${range.high}`,
      value,
    );
    return;
  }
}

/** Percentiles ascend. */
export function checkPercentileOrder(
  report: Report,
  path: Path,
  percentiles: readonly (readonly [key: string, value: number])[],
): void {
  const descent = firstDescent(percentiles);
  if (!descent) return;
  const [key, value] = descent.after;
  const [lowerKey, lower] = descent.before;
  const message = `is ${value}, less than ${lowerKey} (${lower}); percentiles ascend`;
  report('percentiles-order', [...path, key], message, value);
}

function checkPresence(report: Report, path: Path, stats: Values, buckets: Values | undefined): void {
  const count = numberAt(stats, 'count');
  const wasReset = numberAt(stats, 'resets') !== undefined;
  if (count === 0 && !wasReset) checkEmpty(report, path, stats);
  if (!count || count < 0 || wasReset) return;
  if (!buckets)
    report(
      'buckets-missing',
      [...path, 'buckets'],
      `is absent although count is ${count} and no reset is noted`,
    );
  else if (
    Object.keys(buckets).length > 1 &&
    !('p50_estimate' in stats) &&
    (numberAt(stats, 'sum') ?? 0) >= 0
  )
    report(
      'percentiles-missing',
      [...path, 'stats'],
      `has no p1_estimate … p99_estimate although it has ${count} observations and buckets to estimate from`,
    );
}

/** What says something of observations; a field that no schema knows may say anything. */
const OBSERVED = statColumns.histogram.filter(key => key !== 'count');

function checkEmpty(report: Report, path: Path, stats: Values): void {
  const extra = OBSERVED.find(key => Object.hasOwn(stats, key) && stats[key] !== 0);
  if (extra)
    report(
      'histogram-empty',
      [...path, 'stats', extra],
      'is there although count is 0; then count stands alone',
      stats[extra],
    );
}

function checkRates(report: Report, path: Path, stats: Values, span: Span): void {
  const count = numberAt(stats, 'count');
  const rate = numberAt(stats, 'count_rate');
  const avg = numberAt(stats, 'avg');
  const sumRate = numberAt(stats, 'sum_rate');
  checkDuration(report, [...path, 'count_rate'], count, rate, span);
  if (avg === undefined || rate === undefined || sumRate === undefined) return;
  const expected = avg * rate;
  if (near(sumRate, expected, Math.abs(expected) * 0.03)) return;
  report(
    'histogram-rates',
    [...path, 'sum_rate'],
    `is ${sumRate}, but avg × count_rate is ${expected}`,
    sumRate,
  );
}

/**
 * The bounds of a percentile are in order, and hold its estimate between them, if it was made with all that they were made
 * of: linear interpolation knows nothing of the sum.
 */
function checkPercentileBounds(report: Report, path: Path, stats: Values, bounds: Values | undefined): void {
  if (!bounds) return;
  for (const key of percentileKeys) {
    const pair = asArray(field(bounds, key));
    if (pair.length !== 2) continue;
    const low = typeof pair[0] === 'number' ? pair[0] : Number.NEGATIVE_INFINITY;
    const high = typeof pair[1] === 'number' ? pair[1] : Number.POSITIVE_INFINITY;
    const estimate = numberAt(stats, `${key}_estimate`);
    const place = [...path, 'percentile_bounds', key];
    if (!atMost(low, high))
      report('percentile-bounds', place, `are ${low} and ${high}; the first is the lower one`);
    else if (estimate !== undefined && !(atMost(low, estimate) && atMost(estimate, high)))
      report(
        'percentile-outside',
        place,
        `are ${low} and ${high}, but ${key}_estimate is ${estimate}`,
        estimate,
      );
  }
}
