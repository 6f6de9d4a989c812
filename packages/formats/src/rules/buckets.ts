import { parseBound, sortNumericKeys } from '../json/numericKeys.ts';
import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { getNumber, type Values } from './values.ts';

/** A cumulative bucket with its parsed upper bound. */
export interface BucketRow {
  readonly le: string;
  readonly bound: number;
  readonly count: number;
}

/**
 * Checks that buckets are cumulative and complete: each bound occurs once, counts never decrease, and the
 * last bucket is `+Inf` and contains all observations. Returns the buckets sorted by bound.
 */
export function checkBuckets(
  report: Report,
  path: Path,
  buckets: Values,
  count: number | undefined,
): BucketRow[] {
  const rows = listBuckets(buckets);
  checkBounds(report, path, rows);
  const descent = rows.findIndex((row, i) => i > 0 && row.count < rows[i - 1]!.count);
  if (descent > 0) {
    const [before, row] = [rows[descent - 1]!, rows[descent]!];
    report(
      'buckets-monotone',
      [...path, row.le],
      `is ${row.count}, less than bucket "${before.le}" (${before.count}); buckets are cumulative, so counts must not decrease`,
      row.count,
    );
  }
  checkInfinity(report, path, rows, count);
  return rows;
}

/** Lists the buckets with a valid bound and count, sorted by bound. */
function listBuckets(buckets: Values): BucketRow[] {
  return sortNumericKeys(buckets).flatMap(le => {
    const count = getNumber(buckets, le);
    const bound = parseBound(le);
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
        `is the same bound as "${before.le}"; each bound must occur once`,
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
    report('buckets-infinity', path, 'has no "+Inf"; the last bucket of a histogram must be "+Inf"');
    return;
  }
  if (count === undefined || count < 0 || last.count === count) return;
  report(
    'buckets-count',
    [...path, last.le],
    `is ${last.count}, but count is ${count}; the "+Inf" bucket must count every observation`,
    last.count,
  );
}

/** Returns the bounds of the range that contains all observations; undefined if there are none. */
export function findObservedRange(rows: readonly BucketRow[]): { low: number; high: number } | undefined {
  const first = rows.findIndex(row => row.count > 0);
  const total = rows.at(-1)?.count ?? 0;
  if (first === -1) return undefined;
  return {
    low: first === 0 ? Number.NEGATIVE_INFINITY : rows[first - 1]!.bound,
    high: rows.find(row => row.count >= total)!.bound,
  };
}
