import { computeEndpointInfo, shouldSlicePerInterval } from '@org/core';
import { compareIntervals, compareReset } from './deviationRules.ts';
import { Differences } from './differences.ts';
import type { Deviation, Expectation, ExpectedSeries, ExpectedSlice } from './expectation.ts';
import {
  computeAiperfPeriod,
  computeFigures,
  createSeriesKey,
  type Figures,
  omitAddedFields,
} from './figures.ts';
import type { Trace } from './trace.ts';

/** Compares the statistics of a trace with an expectation. Returns one line per difference. */
export function compareExpectation(expectation: Expectation, trace: Trace): string[] {
  const differences = new Differences();
  compareEndpoints(expectation, trace, differences);
  const figures = new Map<string, Figures>();
  for (const [url, store] of trace) {
    for (const series of computeFigures(url, store, expectation)) figures.set(series.key, series);
  }
  for (const expected of expectation.series) {
    const labels = Object.entries(expected.labels ?? {});
    const key = createSeriesKey(expected.endpoint_url, expected.metric, expected.type, labels);
    const actual = figures.get(key);
    figures.delete(key);
    compareSeries(expected, actual, differences.at(key), expectation);
  }
  for (const key of figures.keys()) differences.add(`${key}: is missing from the snapshot`);
  return differences.lines;
}

function compareEndpoints(expectation: Expectation, trace: Trace, differences: Differences): void {
  const urls = Object.keys(expectation.endpoints);
  differences.compareEqual('endpoints', [...trace.keys()].sort().join(' '), urls.sort().join(' '));
  for (const url of urls) {
    const store = trace.get(url);
    if (!store) continue;
    const { originNs } = store.timeline();
    const end = originNs + BigInt(computeAiperfPeriod(store, expectation).endNs);
    const info = { ...computeEndpointInfo(store)!, effective_end_ns: end };
    differences
      .at(url)
      .compareRecord('endpoint_info', withNanosecondStrings(info), expectation.endpoints[url]!);
  }
}

function compareSeries(
  expected: ExpectedSeries,
  actual: Figures | undefined,
  differences: Differences,
  expectation: Expectation,
): void {
  const rules = new Map<string, Deviation>();
  for (const deviation of expected.deviations ?? []) rules.set(deviation.rule, deviation);
  if (rules.has('absent')) {
    if (actual) differences.add('is exported although it has no sample in the period');
    return;
  }
  if (!actual) {
    differences.add('is missing from the computed statistics');
    return;
  }
  const { statistics } = actual;
  const isSkipped = createFieldFilter(rules);
  differences.compareEqual('unit', actual.unit, expected.unit);
  const sliceNs = (expectation.slice_duration ?? Infinity) * 1e9;
  const hasIntervalSlices = shouldSlicePerInterval(actual.store, actual.period, sliceNs);
  const decided = rules.get('nan')?.decided;
  differences.compareRecord(
    'stats',
    statistics.stats,
    decided?.stats ?? expected.stats,
    key => isSkipped(`stats.${key}`) || (hasIntervalSlices && key.startsWith('rate_')),
  );
  if (!isSkipped('buckets')) differences.compareBuckets('buckets', getBuckets(actual), expected.buckets);
  const reset = rules.get('reset');
  if (reset) compareReset(actual, reset, expected.stats, differences);
  if (hasIntervalSlices) compareIntervals(actual, differences);
  else if (rules.has('interval')) differences.add('the slices do not match the sample intervals');
  else if (decided) compareSlices(actual, decided.timeslices ?? null, differences);
  else if (!isSkipped('timeslices')) compareSlices(actual, expected.timeslices, differences);
}

/**
 * Creates a function that reports whether a field is excluded from the comparison. Fields of the rules
 * `unknown`, `reference` and `nan` are compared, because for them Servelens computes the figures in the
 * snapshot, or in `decided` (docs/decisions: 0004 for `reference`, 0007 for `unknown`, 0012 for `nan`).
 */
function createFieldFilter(rules: ReadonlyMap<string, Deviation>): (field: string) => boolean {
  const fields = new Set<string>();
  for (const [rule, deviation] of rules) {
    if (rule === 'unknown' || rule === 'reference' || rule === 'nan') continue;
    for (const field of deviation.fields) fields.add(field);
  }
  if (rules.has('reset'))
    for (const field of ['stats.resets', 'stats.increase', 'stats.increase_rate']) fields.add(field);
  return field =>
    fields.has(field) ||
    fields.has(field.split('.')[0]!) ||
    (fields.has('stats.p*_estimate') && /^stats\.p\d+_estimate$/.test(field));
}

function compareSlices(
  actual: Figures,
  expected: readonly ExpectedSlice[] | null,
  differences: Differences,
): void {
  const slices = getSlices(actual);
  // Without slices, the snapshot contains null for a gauge and an empty list for a counter.
  const count = expected?.length ?? 0;
  differences.compareEqual('timeslices', slices.length, count);
  if (slices.length !== count) return;
  slices.forEach((slice, index) => {
    const { buckets: actualBuckets, ...figures } = slice;
    const { buckets, ...expectedFigures } = expected![index]!;
    const name = `timeslices[${index}]`;
    differences.compareRecord(name, figures, expectedFigures as Record<string, string | number | boolean>);
    if (buckets !== undefined)
      differences.compareBuckets(
        `${name}.buckets`,
        actualBuckets ?? null,
        buckets as [string, number][] | null,
      );
  });
}

type ActualSlice = Record<string, unknown> & { buckets?: readonly (readonly [string, number])[] | null };

function getSlices({ statistics, store }: Figures): ActualSlice[] {
  if (statistics.type === 'summary') return [];
  const { originNs } = store.timeline();
  return (statistics.timeslices ?? []).map(slice => {
    const { startNs, endNs, ...figures } = omitAddedFields(slice);
    return {
      start_ns: String(originNs + BigInt(startNs)),
      end_ns: String(originNs + BigInt(endNs)),
      ...figures,
    };
  });
}

function getBuckets({ statistics }: Figures): readonly (readonly [string, number])[] | null {
  return statistics.type === 'histogram' ? statistics.buckets : null;
}

/** Converts bigint nanoseconds to strings, the format of the snapshot. */
function withNanosecondStrings(info: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(info).map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : value]),
  );
}
