import { boundOf, numericKeys } from '../json/numericKeys.ts';
import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { numberAt, type Values } from './values.ts';

/** Cumulative buckets as they should be read: bounds ascending, each with its count. */
export interface BucketRow {
  readonly le: string;
  readonly bound: number;
  readonly count: number;
}

/**
 * Buckets are cumulative and complete: each bound once, counts that never fall, and `+Inf`, which counts every
 * observation. Seeds 000, 001 and 003; Prometheus text format, "Histograms and summaries".
 */
export function checkBuckets(
  report: Report,
  path: Path,
  buckets: Values,
  count: number | undefined,
): BucketRow[] {
  const rows = bucketRows(buckets);
  checkBounds(report, path, rows);
  const descent = rows.findIndex((row, i) => i > 0 && row.count < rows[i - 1]!.count);
  if (descent > 0) {
    const [before, row] = [rows[descent - 1]!, rows[descent]!];
    report(
      'buckets-monotone',
      [...path, row.le],
      `is ${row.count}, less than the ${before.count} of "${before.le}"; buckets are cumulative, so each counts at least what the one before counts`,
      row.count,
    );
  }
  checkInfinity(report, path, rows, count);
  return rows;
}

function bucketRows(buckets: Values): BucketRow[] {
  return numericKeys(buckets).flatMap(le => {
    const count = numberAt(buckets, le);
    const bound = boundOf(le);
    return count === undefined || Number.isNaN(bound) ? [] : [{ le, bound, count }];
  });
}

function checkBounds(report: Report, path: Path, rows: readonly BucketRow[]): void {
  for (let i = 1; i < rows.length; i++) {
    const [before, row] = [rows[i - 1]!, rows[i]!];
    if (before.bound === row.bound)
      report(
        'buckets-bounds',
        [...path, row.le],
        `is the same bound as "${before.le}"; a bound stands once`,
        row.le,
      );
  }
}

function checkInfinity(
  report: Report,
  path: Path,
  rows: readonly BucketRow[],
  count: number | undefined,
): void {
  const last = rows.at(-1);
  if (last?.bound !== Number.POSITIVE_INFINITY) {
    report(
      'buckets-infinity',
      path,
      'has no "+Inf"; the last bucket of a histogram counts every observation',
    );
    return;
  }
  if (count === undefined || count < 0 || last.count === count) return;
  report(
    'buckets-count',
    [...path, last.le],
    `is ${last.count}, but count is ${count}; the "+Inf" bucket counts every observation`,
    last.count,
  );
}

/** Between which bounds all observations lie, as far as the buckets say; undefined without observations. */
export function observedRange(rows: readonly BucketRow[]): { low: number; high: number } | undefined {
  const first = rows.findIndex(row => row.count > 0);
  const total = rows.at(-1)?.count ?? 0;
  if (first === -1) return undefined;
  return {
    low: first === 0 ? Number.NEGATIVE_INFINITY : rows[first - 1]!.bound,
    high: rows.find(row => row.count >= total)!.bound,
  };
}
