import { formatValue } from '@org/core';
import { type MetricRole, stripServerPrefix } from '@org/servers';
import { type BucketTable, findBucket, toBucketTable } from '../buckets.ts';
import { type RunSeries, readStat } from '../run/series.ts';
import { createServerRule, type FindingRule, type FoundEvidence, type Thresholds } from './rule.ts';
import type { ServerInstance } from './serverInstance.ts';

type Doubt = 'above_last_bound' | 'wide_bounds';

const LATENCIES: readonly MetricRole[] = ['timeToFirstToken', 'interTokenLatency', 'requestLatency'];
const PERCENTILES = [50, 90, 95, 99];
const ADVICE =
  'The server’s buckets are too coarse: compare averages, which are exact, or measure on the client.';

/** Rules on the precision of estimated percentiles. */
export const PRECISION_RULES: readonly FindingRule[] = [
  createServerRule(
    {
      id: 'unbounded-percentile',
      severity: 'warning',
      title: 'percentile in the +Inf bucket',
      advice: ADVICE,
      thresholds: { percentile: { value: 99, meaning: 'highest percentile to check' } },
    },
    (instance, limits) => findDoubtful(instance, 'above_last_bound', limits),
  ),
  createServerRule(
    {
      id: 'wide-percentile-bounds',
      severity: 'note',
      title: 'percentile with wide bounds',
      advice: ADVICE,
      thresholds: {
        percentile: { value: 99, meaning: 'highest percentile to check' },
        width: { value: 1, meaning: 'maximum ratio of the width of the bounds to the estimate' },
      },
    },
    (instance, limits) => findDoubtful(instance, 'wide_bounds', limits),
  ),
];

function findDoubtful(
  instance: ServerInstance,
  doubt: Doubt,
  limits: Thresholds<'percentile'> & { readonly width?: number },
): FoundEvidence | undefined {
  const percents = PERCENTILES.filter(percent => percent <= limits.percentile);
  let count = 0;
  let worst: DoubtfulPercentile | undefined;
  for (const role of LATENCIES)
    for (const series of instance.series(role))
      for (const found of listDoubts(series)) {
        const fits = found.doubt === doubt && percents.includes(found.percent);
        if (!fits || found.magnitude <= (limits.width ?? 0)) continue;
        count++;
        if (!worst || found.magnitude > worst.magnitude) worst = found;
      }
  if (!worst) return undefined;
  const more = count > 1 ? `, and ${count - 1} more` : '';
  return { text: `${formatText(worst)}${more}`, numbers: toNumbers(worst), magnitude: worst.magnitude };
}

/** A percentile that the buckets determine poorly. */
interface DoubtfulPercentile {
  readonly series: RunSeries;
  readonly percent: number;
  readonly estimate: number;
  readonly doubt: Doubt;
  readonly lower: number;
  readonly upper: number;
  /**
   * Ratio of the width of the bounds to the estimate; for an open bucket, the percentage of observations beyond
   * the percentile.
   */
  readonly magnitude: number;
}

const known = new WeakMap<RunSeries, readonly DoubtfulPercentile[]>();

/** Finds poorly determined percentiles of a series. Cached, because two rules use them. */
function listDoubts(series: RunSeries): readonly DoubtfulPercentile[] {
  let found = known.get(series);
  if (!found) {
    const table = toBucketTable(series.buckets);
    found = table ? PERCENTILES.flatMap(percent => judgePercentile(series, table, percent) ?? []) : [];
    known.set(series, found);
  }
  return found;
}

/** Judges a percentile by the bounds in the export, or else by the bounds of its bucket. */
function judgePercentile(
  series: RunSeries,
  table: BucketTable,
  percent: number,
): DoubtfulPercentile | undefined {
  const estimate = readStat(series, `p${percent}_estimate`);
  if (estimate === undefined) return undefined;
  const [lower, upper] = findBucket(table, percent / 100);
  const found = { series, percent, estimate };
  if (!Number.isFinite(upper))
    return { ...found, doubt: 'above_last_bound', lower, upper, magnitude: 100 - percent };
  const certain = series.bounds?.[`p${percent}`];
  const [least, most] = [certain?.[0] ?? lower, certain?.[1] ?? upper];
  const magnitude = (most - least) / Math.max(Math.abs(estimate), Number.MIN_VALUE);
  return { ...found, doubt: 'wide_bounds', lower: least, upper: most, magnitude };
}

function formatText({ series, percent, estimate, doubt, lower, upper }: DoubtfulPercentile): string {
  const name = `${stripServerPrefix(series.name)} p${percent} ${formatValue(estimate, series.unit)}`;
  if (doubt === 'above_last_bound')
    return `${name} is only known to be above ${formatValue(lower, series.unit)}`;
  return `${name} is between ${formatValue(lower, series.unit)} and ${formatValue(upper, series.unit)}`;
}

function toNumbers({ percent, estimate, lower, upper }: DoubtfulPercentile): FoundEvidence['numbers'] {
  return { percent, estimate, lower, ...(Number.isFinite(upper) && { upper }) };
}
