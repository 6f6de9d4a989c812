import type { Path } from '../json/path.ts';
import { checkBuckets } from './buckets.ts';
import type { Report } from './findings.ts';
import { checkMean } from './gauge.ts';
import { checkAverage } from './histogram.ts';
import { checkTimestamp, type Period } from './time.ts';
import { isAtMost, isNear } from './tolerance.ts';
import { getField, getNanoseconds, getNumber, getObject, listObjectItems, type Values } from './values.ts';

type Slice = readonly [values: Values, path: Path];

/**
 * Checks the timeslices of a series: they must be in order, must not overlap, must be within the period, and
 * must add up to at most the statistics of the period. Only the last slice may be partial.
 */
export function checkTimeslices(
  report: Report,
  path: Path,
  type: string,
  series: Values,
  period: Period,
): void {
  checkOrder(report, listObjectItems(series, 'reset_timeslices', path));
  const slices = listObjectItems(series, 'timeslices', path);
  if (slices.length === 0) return;
  checkOrder(report, slices);
  checkPartial(report, slices);
  checkPeriod(report, slices, period);
  const stats = getObject(series, 'stats');
  for (const slice of slices) checkSlice(report, type, slice);
  const hasIncrease = stats && getField(stats, 'increase') !== undefined;
  if (stats && !hasIncrease && getNumber(stats, 'resets') === undefined)
    checkSums(report, [...path, 'timeslices'], type, stats, slices, coversPeriod(slices, period));
}

function checkOrder(report: Report, slices: readonly Slice[]): void {
  let previousEnd: bigint | undefined;
  for (const [slice, path] of slices) {
    const start = getNanoseconds(slice, 'start_ns');
    const end = getNanoseconds(slice, 'end_ns');
    if (start === undefined || end === undefined) continue;
    checkTimestamp(report, [...path, 'start_ns'], start);
    checkTimestamp(report, [...path, 'end_ns'], end);
    if (end <= start)
      report('slices-order', [...path, 'end_ns'], `is ${end}, not after start_ns (${start})`, end);
    if (previousEnd !== undefined && start < previousEnd)
      report(
        'slices-order',
        [...path, 'start_ns'],
        `is ${start}, before the end of the previous slice (${previousEnd})`,
        start,
      );
    previousEnd = end;
  }
}

/** Checks that only the last slice is partial, and that complete slices have no `is_complete`. */
function checkPartial(report: Report, slices: readonly Slice[]): void {
  slices.forEach(([slice, path], index) => {
    const complete = getField(slice, 'is_complete');
    const place = [...path, 'is_complete'];
    if (complete === true)
      report('slices-partial', place, 'is true; the field must be absent in complete slices', true);
    if (complete === false && index < slices.length - 1)
      report('slices-partial', place, 'is false; only the last slice can be partial', false);
  });
}

/** Precision of `start_time` and `end_time`, which are parsed in milliseconds. */
const PARSED_TIME_SLACK_NS = 1_000_000n;

/**
 * Time at an end of the period that slices need not cover: one scrape at the default interval of 333 ms. The final
 * scrape can follow the end of the last slice by up to one interval. A longer gap can contain further samples.
 */
const SCRAPE_SLACK_NS = 333_000_000n;

/** Checks that the first slice does not start before the period and the last slice does not end after it. */
function checkPeriod(report: Report, slices: readonly Slice[], period: Period): void {
  const [first, last] = [slices[0]!, slices.at(-1)!];
  const start = getNanoseconds(first[0], 'start_ns');
  const end = getNanoseconds(last[0], 'end_ns');
  if (start !== undefined && period.startNs !== undefined && start < period.startNs - PARSED_TIME_SLACK_NS)
    report(
      'slices-period',
      [...first[1], 'start_ns'],
      `is ${start}, before the start of the period (${period.startNs})`,
      start,
    );
  if (end !== undefined && period.endNs !== undefined && end > period.endNs + PARSED_TIME_SLACK_NS)
    report(
      'slices-period',
      [...last[1], 'end_ns'],
      `is ${end}, after the end of the period and the last scrape (${period.endNs})`,
      end,
    );
}

function checkSlice(report: Report, type: string, [slice, path]: Slice): void {
  if (type === 'counter') checkRate(report, slice, path);
  else if (type === 'histogram') checkHistogramSlice(report, slice, path);
  else checkGaugeSlice(report, slice, path);
}

function checkGaugeSlice(report: Report, slice: Values, path: Path): void {
  const [min, max] = [getNumber(slice, 'min'), getNumber(slice, 'max')];
  if (min !== undefined && max !== undefined && !isAtMost(min, max))
    report('gauge-order', [...path, 'max'], `is ${max}, less than min (${min})`, max);
  checkMean(report, path, slice);
}

/**
 * Checks the rate of a complete slice. The rate of a partial slice may refer to its own duration or to a full
 * slice.
 */
function checkRate(report: Report, slice: Values, path: Path): void {
  const [total, rate] = [getNumber(slice, 'total'), getNumber(slice, 'rate')];
  const [start, end] = [getNanoseconds(slice, 'start_ns'), getNanoseconds(slice, 'end_ns')];
  if (total === undefined || rate === undefined || start === undefined || end === undefined) return;
  if (getField(slice, 'is_complete') === false || end <= start) return;
  const expected = total / (Number(end - start) / 1e9);
  if (isNear(rate, expected, expected * 0.01)) return;
  report(
    'slice-rate',
    [...path, 'rate'],
    `is ${rate}, but total divided by the slice duration is ${expected}`,
    rate,
  );
}

function checkHistogramSlice(report: Report, slice: Values, path: Path): void {
  const buckets = getObject(slice, 'buckets');
  if (buckets) checkBuckets(report, [...path, 'buckets'], buckets, getNumber(slice, 'count'));
  checkAverage(report, path, slice, 'avg', 'sum', 'count');
}

/** Reports whether the slices cover the whole period without a gap. */
function coversPeriod(slices: readonly Slice[], { startNs, endNs }: Period): boolean {
  if (startNs === undefined || endNs === undefined) return false;
  let previousEnd: bigint | undefined;
  for (const [slice] of slices) {
    const start = getNanoseconds(slice, 'start_ns');
    const end = getNanoseconds(slice, 'end_ns');
    if (start === undefined || end === undefined || start !== (previousEnd ?? start)) return false;
    previousEnd = end;
  }
  const first = getNanoseconds(slices[0]![0], 'start_ns')!;
  return first <= startNs + SCRAPE_SLACK_NS && previousEnd! >= endNs - SCRAPE_SLACK_NS;
}

/** Statistics that add up over the slices, by metric type. */
const ADDITIVE_STATS: Readonly<Record<string, readonly string[]>> = {
  counter: ['total'],
  histogram: ['count', 'sum'],
};

/**
 * Checks that the slices add up to the statistics of the period, or to less if they do not cover the whole period.
 *
 * @param isCovered whether the slices cover the whole period
 */
function checkSums(
  report: Report,
  path: Path,
  type: string,
  stats: Values,
  slices: readonly Slice[],
  isCovered: boolean,
): void {
  // The total of a counter that behaves like a gauge is its net difference.
  if (getNumber(stats, 'decreases') !== undefined) return;
  for (const key of ADDITIVE_STATS[type] ?? []) {
    const total = getNumber(stats, key);
    if (total === undefined || total < 0) continue;
    const sum = slices.reduce((sum, [slice]) => sum + (getNumber(slice, key) ?? 0), 0);
    if (isNear(sum, total, total * 0.01)) continue;
    // Observations can be negative, so the sum of a missing slice can be negative too.
    if (!isCovered && (key === 'sum' || isAtMost(sum, total))) continue;
    const relation = sum > total ? 'more' : 'less';
    const message = `add up to a ${key} of ${sum}, ${relation} than ${total} for the whole period`;
    report('slices-sum', path, message, sum);
  }
}
