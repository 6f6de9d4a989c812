import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { atMost, firstDescent, noise, rounding } from './tolerance.ts';
import { numberAt, numbersAt, percentileKeys, type Values } from './values.ts';

/**
 * Statistics of samples: min, the percentiles and max ascend, the mean lies between, and nothing varies exactly
 * when nothing differs. Seed 001, "Gauge Stats Fields" and "Gauge Normalization"; seed 004 has the same fields.
 */
export function checkDistribution(report: Report, path: Path, stats: Values): void {
  const descent = firstDescent(numbersAt(stats, ['min', ...percentileKeys, 'max']));
  if (descent)
    report(
      'gauge-order',
      [...path, descent.after[0]],
      `is ${descent.after[1]}, less than ${descent.before[0]} (${descent.before[1]}); min, p1 … p99 and max ascend`,
      descent.after[1],
    );
  checkMean(report, path, stats);
  checkSpread(report, path, stats);
}

/** The mean lies between the smallest and the largest sample, but for its rounding. Also used for slices. */
export function checkMean(report: Report, path: Path, stats: Values): void {
  const avg = numberAt(stats, 'avg');
  const min = numberAt(stats, 'min');
  const max = numberAt(stats, 'max');
  if (avg === undefined || min === undefined || max === undefined || min > max) return;
  const slack = rounding(avg);
  if (atMost(min, avg + slack) && atMost(avg, max + slack)) return;
  report('gauge-average', [...path, 'avg'], `is ${avg}, outside of min (${min}) and max (${max})`, avg);
}

/** Nothing varies exactly when nothing differs, and no more than the range allows. */
export function checkSpread(report: Report, path: Path, stats: Values): void {
  const std = numberAt(stats, 'std');
  const min = numberAt(stats, 'min');
  const max = numberAt(stats, 'max');
  if (std === undefined || min === undefined || max === undefined || min > max) return;
  const scale = Math.max(Math.abs(min), Math.abs(max));
  if (min === max && std > noise * scale)
    report(
      'gauge-spread',
      [...path, 'std'],
      `is ${std} although min and max are both ${min}; it should be 0`,
      std,
    );
  // Of all samples within a range, two at its ends have the largest deviation: range / √2.
  else if (std > ((max - min) / Math.SQRT2) * 1.01 + noise * scale)
    report(
      'gauge-spread',
      [...path, 'std'],
      `is ${std}, more than samples between ${min} and ${max} can have`,
      std,
    );
}
