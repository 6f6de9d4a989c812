import { formatCount, formatValue } from '@org/core';
import { type MetricRole, type ServerDefinition, stripPrefix } from '@org/servers';
import { type BucketTable, findBucket, toBucketTable } from '../buckets.ts';
import { type RunSeries, readStat } from '../run/series.ts';
import type { ServerInstance } from '../servers/serverInstance.ts';
import { createServerRule, type FindingRule, type FoundEvidence, type Thresholds } from './rule.ts';

/** The reason why an estimate is imprecise, as in `percentile_warnings` of exports. */
type Imprecision = 'above_last_bound' | 'wide_bounds';

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
    (instance, limits) => findImprecisePercentiles(instance, 'above_last_bound', limits),
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
    (instance, limits) => findImprecisePercentiles(instance, 'wide_bounds', limits),
  ),
];

function findImprecisePercentiles(
  instance: ServerInstance,
  imprecision: Imprecision,
  limits: Thresholds<'percentile'> & { readonly width?: number },
): FoundEvidence | undefined {
  const percents = PERCENTILES.filter(percent => percent <= limits.percentile);
  let count = 0;
  let worst: ImprecisePercentile | undefined;
  for (const role of LATENCIES)
    for (const series of instance.series(role))
      for (const found of listImprecisePercentiles(series)) {
        const isRelevant = found.imprecision === imprecision && percents.includes(found.percent);
        if (!isRelevant || found.magnitude <= (limits.width ?? 0)) continue;
        count++;
        if (!worst || found.magnitude > worst.magnitude) worst = found;
      }
  if (!worst) return undefined;
  const more = count > 1 ? `, and ${formatCount(count - 1, 'more percentile')}` : '';
  return {
    text: `${describePercentile(worst, instance.definition)}${more}`,
    numbers: toNumbers(worst),
    magnitude: worst.magnitude,
  };
}

/** A percentile estimate whose buckets are too coarse. */
interface ImprecisePercentile {
  readonly series: RunSeries;
  readonly percent: number;
  readonly estimate: number;
  readonly imprecision: Imprecision;
  readonly lower: number;
  readonly upper: number;
  /**
   * The severity: the ratio of the width of the bounds to the estimate, or, in the +Inf bucket, 100 minus the
   * percentile.
   */
  readonly magnitude: number;
}

/** Cache of `listImprecisePercentiles`. */
const impreciseBySeries = new WeakMap<RunSeries, readonly ImprecisePercentile[]>();

/** Lists the imprecise percentiles of a series. Cached, because two rules use them. */
function listImprecisePercentiles(series: RunSeries): readonly ImprecisePercentile[] {
  let found = impreciseBySeries.get(series);
  if (!found) {
    const table = toBucketTable(series.buckets);
    found = table ? PERCENTILES.flatMap(percent => assessPercentile(series, table, percent) ?? []) : [];
    impreciseBySeries.set(series, found);
  }
  return found;
}

/**
 * Assesses a percentile by its guaranteed bounds in the export, or by the bounds of its bucket if the export has
 * none. Returns undefined if the series has no estimate.
 */
function assessPercentile(
  series: RunSeries,
  table: BucketTable,
  percent: number,
): ImprecisePercentile | undefined {
  const estimate = readStat(series, `p${percent}_estimate`);
  if (estimate === undefined) return undefined;
  const [lower, upper] = findBucket(table, percent / 100);
  const found = { series, percent, estimate };
  if (!Number.isFinite(upper))
    return { ...found, imprecision: 'above_last_bound', lower, upper, magnitude: 100 - percent };
  const bounds = series.bounds?.[`p${percent}`];
  const [low, high] = [bounds?.[0] ?? lower, bounds?.[1] ?? upper];
  const magnitude = (high - low) / Math.max(Math.abs(estimate), Number.MIN_VALUE);
  return { ...found, imprecision: 'wide_bounds', lower: low, upper: high, magnitude };
}

function describePercentile(
  { series, percent, estimate, imprecision, lower, upper }: ImprecisePercentile,
  { recognize }: ServerDefinition,
): string {
  const name = `${stripPrefix(series.name, recognize.prefixes)} p${percent} ${formatValue(estimate, series.unit)}`;
  if (imprecision === 'above_last_bound')
    return `${name} (true value above ${formatValue(lower, series.unit)})`;
  return `${name} (bounds ${formatValue(lower, series.unit)} to ${formatValue(upper, series.unit)})`;
}

function toNumbers({ percent, estimate, lower, upper }: ImprecisePercentile): FoundEvidence['numbers'] {
  return { percent, estimate, lower, ...(Number.isFinite(upper) && { upper }) };
}
