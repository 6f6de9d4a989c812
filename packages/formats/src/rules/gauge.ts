import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { findDescent, getRoundingError, isAtMost, NOISE } from './tolerance.ts';
import { getNumber, listNumbers, PERCENTILE_KEYS, type Values } from './values.ts';

/**
 * Checks the statistics of a gauge or of a profile metric: min, percentiles and max must not decrease, the mean must be
 * between min and max, and the standard deviation must be possible for that range.
 */
export function checkDistribution(report: Report, path: Path, stats: Values): void {
  const descent = findDescent(listNumbers(stats, ['min', ...PERCENTILE_KEYS, 'max']));
  if (descent)
    report(
      'gauge-order',
      [...path, descent.after[0]],
      `is ${descent.after[1]}, less than ${descent.before[0]} (${descent.before[1]}); min, p1 … p99 and max must not decrease`,
      descent.after[1],
    );
  checkMean(report, path, stats);
  checkSpread(report, path, stats);
}

/** Checks that the mean is between min and max, within rounding. */
export function checkMean(report: Report, path: Path, stats: Values): void {
  const avg = getNumber(stats, 'avg');
  const min = getNumber(stats, 'min');
  const max = getNumber(stats, 'max');
  if (avg === undefined || min === undefined || max === undefined || min > max) return;
  const slack = getRoundingError(avg);
  if (isAtMost(min, avg + slack) && isAtMost(avg, max + slack)) return;
  report('gauge-average', [...path, 'avg'], `is ${avg}, not between min (${min}) and max (${max})`, avg);
}

/** Checks that the standard deviation is 0 if min equals max, and otherwise at most (max − min) / √2. */
export function checkSpread(report: Report, path: Path, stats: Values): void {
  const std = getNumber(stats, 'std');
  const min = getNumber(stats, 'min');
  const max = getNumber(stats, 'max');
  if (std === undefined || min === undefined || max === undefined || min > max) return;
  const scale = Math.max(Math.abs(min), Math.abs(max));
  if (min === max && std > NOISE * scale)
    report('gauge-spread', [...path, 'std'], `is ${std}, but min and max are both ${min}; expected 0`, std);
  // The sample standard deviation is largest for two samples, one at each end of the range: range / √2.
  else if (std > ((max - min) / Math.SQRT2) * 1.01 + NOISE * scale)
    report(
      'gauge-spread',
      [...path, 'std'],
      `is ${std}, too large for samples between ${min} and ${max}`,
      std,
    );
}
