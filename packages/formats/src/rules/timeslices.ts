import type { Path } from '../json/path.ts';
import { checkBuckets } from './buckets.ts';
import type { Report } from './findings.ts';
import { checkMean } from './gauge.ts';
import { checkAverage } from './histogram.ts';
import { checkTimestamp, type Period } from './time.ts';
import { atMost, near } from './tolerance.ts';
import { field, nanosecondsAt, numberAt, objectAt, objectItems, type Values } from './values.ts';

type Slice = readonly [values: Values, path: Path];

/**
 * Slices: ordered, not overlapping, only the last one partial, inside of the period, and adding up to no more
 * than the whole. Seed 001, "Timeslice Normalization"; seed 002, "Timesliced Statistics".
 */
export function checkTimeslices(
  report: Report,
  path: Path,
  type: string,
  series: Values,
  period: Period,
): void {
  const slices = objectItems(series, 'timeslices', path);
  if (slices.length === 0) return;
  checkOrder(report, slices);
  checkPartial(report, slices);
  checkPeriod(report, slices, period);
  const stats = objectAt(series, 'stats');
  for (const slice of slices) checkSlice(report, type, slice);
  if (stats && numberAt(stats, 'resets') === undefined)
    checkSums(report, [...path, 'timeslices'], type, stats, slices, isWhole(slices, period));
}

function checkOrder(report: Report, slices: readonly Slice[]): void {
  let last: bigint | undefined;
  for (const [slice, path] of slices) {
    const start = nanosecondsAt(slice, 'start_ns');
    const end = nanosecondsAt(slice, 'end_ns');
    if (start === undefined || end === undefined) continue;
    checkTimestamp(report, [...path, 'start_ns'], start);
    checkTimestamp(report, [...path, 'end_ns'], end);
    if (end <= start)
      report('slices-order', [...path, 'end_ns'], `is ${end}, not after start_ns (${start})`, end);
    if (last !== undefined && start < last)
      report(
        'slices-order',
        [...path, 'start_ns'],
        `is ${start}, before the end of the slice before (${last})`,
        start,
      );
    last = end;
  }
}

function checkPartial(report: Report, slices: readonly Slice[]): void {
  slices.forEach(([slice, path], index) => {
    const complete = field(slice, 'is_complete');
    const place = [...path, 'is_complete'];
    if (complete === true)
      report('slices-partial', place, 'is true; complete slices leave the field out', true);
    if (complete === false && index < slices.length - 1)
      report('slices-partial', place, 'is false; only the last slice can be cut short', false);
  });
}

/** Clocks are read twice, once for the slice and once for the summary: allowed difference, in ns. */
const clockSlack = 1_000_000_000n;

function checkPeriod(report: Report, slices: readonly Slice[], period: Period): void {
  const [first, last] = [slices[0]!, slices.at(-1)!];
  const start = nanosecondsAt(first[0], 'start_ns');
  const end = nanosecondsAt(last[0], 'end_ns');
  if (start !== undefined && period.startNs !== undefined && start < period.startNs - clockSlack)
    report(
      'slices-period',
      [...first[1], 'start_ns'],
      `is ${start}, before the period begins (${period.startNs})`,
      start,
    );
  if (end !== undefined && period.endNs !== undefined && end > period.endNs + clockSlack)
    report(
      'slices-period',
      [...last[1], 'end_ns'],
      `is ${end}, after the period and the last scrape end (${period.endNs})`,
      end,
    );
}

function checkSlice(report: Report, type: string, [slice, path]: Slice): void {
  if (type === 'counter') checkRate(report, slice, path);
  else if (type === 'histogram') checkHistogramSlice(report, slice, path);
  else checkGaugeSlice(report, slice, path);
}

function checkGaugeSlice(report: Report, slice: Values, path: Path): void {
  const [min, max] = [numberAt(slice, 'min'), numberAt(slice, 'max')];
  if (min !== undefined && max !== undefined && !atMost(min, max))
    report('gauge-order', [...path, 'max'], `is ${max}, less than min (${min})`, max);
  checkMean(report, path, slice);
}

/** A partial slice may be divided by its own length or by that of a full one; complete ones have no choice. */
function checkRate(report: Report, slice: Values, path: Path): void {
  const [total, rate] = [numberAt(slice, 'total'), numberAt(slice, 'rate')];
  const [start, end] = [nanosecondsAt(slice, 'start_ns'), nanosecondsAt(slice, 'end_ns')];
  if (total === undefined || rate === undefined || start === undefined || end === undefined) return;
  if (field(slice, 'is_complete') === false || end <= start) return;
  const expected = total / (Number(end - start) / 1e9);
  if (near(rate, expected, expected * 0.01)) return;
  report(
    'slice-rate',
    [...path, 'rate'],
    `is ${rate}, but total divided by the seconds of the slice is ${expected}`,
    rate,
  );
}

function checkHistogramSlice(report: Report, slice: Values, path: Path): void {
  const buckets = objectAt(slice, 'buckets');
  if (buckets) checkBuckets(report, [...path, 'buckets'], buckets, numberAt(slice, 'count'));
  checkAverage(report, path, slice, 'avg', 'sum', 'count');
}

/** Whether the slices follow each other without a gap from the start of the period to its end. */
function isWhole(slices: readonly Slice[], { startNs, endNs }: Period): boolean {
  if (startNs === undefined || endNs === undefined) return false;
  let last: bigint | undefined;
  for (const [slice] of slices) {
    const start = nanosecondsAt(slice, 'start_ns');
    const end = nanosecondsAt(slice, 'end_ns');
    if (start === undefined || end === undefined || start !== (last ?? start)) return false;
    last = end;
  }
  const first = nanosecondsAt(slices[0]![0], 'start_ns')!;
  return first <= startNs + clockSlack && last! >= endNs - clockSlack;
}

/** What the slices of a type share out among them. */
const sharedOut: Readonly<Record<string, readonly string[]>> = {
  counter: ['total'],
  histogram: ['count', 'sum'],
};

/**
 * Slices cannot hold more than the period. They may hold less where some are left out, and where they begin or end inside of
 * it; those that cover all of it add up.
 */
function checkSums(
  report: Report,
  path: Path,
  type: string,
  stats: Values,
  slices: readonly Slice[],
  whole: boolean,
): void {
  for (const key of sharedOut[type] ?? []) {
    const total = numberAt(stats, key);
    if (total === undefined || total < 0) continue;
    const sum = slices.reduce((sum, [slice]) => sum + (numberAt(slice, key) ?? 0), 0);
    if (near(sum, total, total * 0.01)) continue;
    // The sum of a slice that was left out may have been negative, as observations may.
    if (!whole && (key === 'sum' || atMost(sum, total))) continue;
    const relation = sum > total ? 'more' : 'less';
    const message = `add up to a ${key} of ${sum}, ${relation} than the ${total} of the whole period`;
    report('slices-sum', path, message, sum);
  }
}
