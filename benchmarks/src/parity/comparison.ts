import { endpointInfo, slicesPerInterval } from '@org/core';
import { decidedIntervals, decidedReset } from './decided.ts';
import { Differences } from './differences.ts';
import type { Deviation, Expectation, ExpectedSeries, ExpectedSlice } from './expectation.ts';
import { closedPeriod, type Figures, figuresOf, seriesKey } from './figures.ts';
import type { Trace } from './trace.ts';

/** What differs between an expectation and what we make of its trace, a line each; empty when nothing does. */
export function compareExpectation(expectation: Expectation, trace: Trace): string[] {
  const differences = new Differences();
  compareEndpoints(expectation, trace, differences);
  const figures = new Map<string, Figures>();
  for (const [url, store] of trace) {
    for (const series of figuresOf(url, store, expectation)) figures.set(series.key, series);
  }
  for (const expected of expectation.series) {
    const labels = Object.entries(expected.labels ?? {});
    const key = seriesKey(expected.endpoint_url, expected.metric, expected.type, labels);
    const ours = figures.get(key);
    figures.delete(key);
    compareSeries(expected, ours, differences.at(key), expectation);
  }
  for (const key of figures.keys()) differences.add(`${key}: we have it, the snapshot does not`);
  return differences.lines;
}

function compareEndpoints(expectation: Expectation, trace: Trace, differences: Differences): void {
  const urls = Object.keys(expectation.endpoints);
  differences.same('endpoints', [...trace.keys()].sort().join(' '), urls.sort().join(' '));
  for (const url of urls) {
    const store = trace.get(url);
    if (!store) continue;
    const { originNs } = store.timeline();
    const end = originNs + BigInt(closedPeriod(store, expectation).endNs);
    const info = { ...endpointInfo(store)!, effective_end_ns: end };
    differences.at(url).record('endpoint_info', withTexts(info), expectation.endpoints[url]!);
  }
}

function compareSeries(
  expected: ExpectedSeries,
  ours: Figures | undefined,
  differences: Differences,
  expectation: Expectation,
): void {
  const rules = new Map<string, Deviation>();
  for (const deviation of expected.deviations ?? []) rules.set(deviation.rule, deviation);
  if (rules.has('absent')) {
    if (ours) differences.add('it has no sample in the period, and yet we export it');
    return;
  }
  if (!ours) {
    differences.add('the snapshot has it, we do not');
    return;
  }
  const { statistics } = ours;
  const skipped = skippedFields(rules);
  differences.same('unit', ours.unit, expected.unit);
  const sliceNs = (expectation.slice_duration ?? Infinity) * 1e9;
  const perInterval = slicesPerInterval(ours.store, ours.period, sliceNs);
  const decided = rules.get('nan')?.decided;
  differences.record(
    'stats',
    statistics.stats,
    decided?.stats ?? expected.stats,
    key => skipped(`stats.${key}`) || (perInterval && key.startsWith('rate_')),
  );
  if (!skipped('buckets')) differences.buckets('buckets', bucketsOf(ours), expected.buckets);
  const reset = rules.get('reset');
  if (reset) decidedReset(ours, reset, expected.stats, differences);
  if (perInterval) decidedIntervals(ours, differences);
  else if (rules.has('interval')) differences.add('its slices are not its intervals');
  else if (decided) compareSlices(ours, decided.timeslices ?? null, differences);
  else if (!skipped('timeslices')) compareSlices(ours, expected.timeslices, differences);
}

/**
 * What does not bind. Two rules leave out the whole series in the snapshot and yet give figures that bind: an unknown has
 * a gauge's statistics of its own, and a reference from before the last scrape is what DESIGN decision 4 says.
 */
function skippedFields(rules: ReadonlyMap<string, Deviation>): (field: string) => boolean {
  const fields = new Set<string>();
  for (const [rule, deviation] of rules) {
    if (rule === 'unknown' || rule === 'reference' || rule === 'nan') continue;
    for (const field of deviation.fields) fields.add(field);
  }
  if (rules.has('reset')) for (const added of ['stats.resets', 'stats.increase']) fields.add(added);
  return field =>
    fields.has(field) ||
    fields.has(field.split('.')[0]!) ||
    (fields.has('stats.p*_estimate') && /^stats\.p\d+_estimate$/.test(field));
}

function compareSlices(
  ours: Figures,
  expected: readonly ExpectedSlice[] | null,
  differences: Differences,
): void {
  const slices = slicesOf(ours);
  // None is written as null for a gauge and as an empty list for a counter.
  const count = expected?.length ?? 0;
  differences.same('timeslices', slices.length, count);
  if (slices.length !== count) return;
  slices.forEach((slice, at) => {
    const { buckets: ourBuckets, ...figures } = slice;
    const { buckets, ...theirs } = expected![at]!;
    const name = `timeslices[${at}]`;
    differences.record(name, figures, theirs as Record<string, string | number | boolean>);
    if (buckets !== undefined)
      differences.buckets(`${name}.buckets`, ourBuckets ?? null, buckets as [string, number][] | null);
  });
}

type OurSlice = Record<string, unknown> & { buckets?: readonly (readonly [string, number])[] | null };

function slicesOf({ statistics, store }: Figures): OurSlice[] {
  if (statistics.type === 'summary') return [];
  const { originNs } = store.timeline();
  return (statistics.timeslices ?? []).map(({ startNs, endNs, ...figures }) => ({
    start_ns: String(originNs + BigInt(startNs)),
    end_ns: String(originNs + BigInt(endNs)),
    ...figures,
  }));
}

function bucketsOf({ statistics }: Figures): readonly (readonly [string, number])[] | null {
  return statistics.type === 'histogram' ? statistics.buckets : null;
}

/** Nanoseconds as the snapshot writes them. */
function withTexts(info: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(info).map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : value]),
  );
}
