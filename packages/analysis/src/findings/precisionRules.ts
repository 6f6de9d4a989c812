import { formatValue } from '@org/core';
import { type MetricRole, stripServerPrefix } from '@org/servers';
import { type BucketTable, findBucket, toBucketTable } from '../buckets.ts';
import { type RunSeries, readStat } from '../run/series.ts';
import { type FindingRule, type Found, serverRule, type Thresholds } from './rule.ts';
import type { ServerInstance } from './subject.ts';

type Doubt = 'above-last-bound' | 'wide';

const LATENCIES: readonly MetricRole[] = ['timeToFirstToken', 'interTokenLatency', 'requestLatency'];
const PERCENTILES = [50, 90, 95, 99];
const ADVICE =
  'The server’s buckets are too coarse: compare averages, which are exact, or measure at the client.';

/** How far estimated percentiles are to be trusted. */
export const PRECISION_RULES: readonly FindingRule[] = [
  serverRule(
    {
      id: 'percentile-open',
      weight: 'warning',
      title: 'percentile in the +Inf bucket',
      advice: ADVICE,
      thresholds: { percentile: { value: 99, meaning: 'highest percentile that is looked at' } },
    },
    (subject, at) => doubtful(subject, 'above-last-bound', at),
  ),
  serverRule(
    {
      id: 'percentile-wide',
      weight: 'note',
      title: 'percentile with wide bounds',
      advice: ADVICE,
      thresholds: {
        percentile: { value: 99, meaning: 'highest percentile that is looked at' },
        width: { value: 1, meaning: 'width of the bounds against the estimate' },
      },
    },
    (subject, at) => doubtful(subject, 'wide', at),
  ),
];

function doubtful(
  subject: ServerInstance,
  doubt: Doubt,
  at: Thresholds<'percentile'> & { readonly width?: number },
): Found | undefined {
  const percents = PERCENTILES.filter(percent => percent <= at.percentile);
  let count = 0;
  let worst: Doubtful | undefined;
  for (const role of LATENCIES)
    for (const one of subject.series(role))
      for (const found of doubts(one)) {
        const fits = found.doubt === doubt && percents.includes(found.percent);
        if (!fits || found.size <= (at.width ?? 0)) continue;
        count++;
        if (!worst || found.size > worst.size) worst = found;
      }
  if (!worst) return undefined;
  const more = count > 1 ? `, and ${count - 1} more` : '';
  return { text: `${formatText(worst)}${more}`, numbers: numbersOf(worst), size: worst.size };
}

/** A percentile of which the buckets say little. */
interface Doubtful {
  readonly one: RunSeries;
  readonly percent: number;
  readonly estimate: number;
  readonly doubt: Doubt;
  readonly lower: number;
  readonly upper: number;
  /** Width against the estimate; of an open one how much of the distribution lies beyond. */
  readonly size: number;
}

const known = new WeakMap<RunSeries, readonly Doubtful[]>();

/** Both rules ask for the same. */
function doubts(one: RunSeries): readonly Doubtful[] {
  let found = known.get(one);
  if (!found) {
    const table = toBucketTable(one.buckets);
    found = table ? PERCENTILES.flatMap(percent => doubtOf(one, table, percent) ?? []) : [];
    known.set(one, found);
  }
  return found;
}

/** Bounds are those that the export guarantees, or else those of the bucket. */
function doubtOf(one: RunSeries, table: BucketTable, percent: number): Doubtful | undefined {
  const estimate = readStat(one, `p${percent}_estimate`);
  if (estimate === undefined) return undefined;
  const [lower, upper] = findBucket(table, percent / 100);
  const found = { one, percent, estimate };
  if (!Number.isFinite(upper))
    return { ...found, doubt: 'above-last-bound', lower, upper, size: 100 - percent };
  const certain = one.bounds?.[`p${percent}`];
  const [least, most] = [certain?.[0] ?? lower, certain?.[1] ?? upper];
  const size = (most - least) / Math.max(Math.abs(estimate), Number.MIN_VALUE);
  return { ...found, doubt: 'wide', lower: least, upper: most, size };
}

function formatText({ one, percent, estimate, doubt, lower, upper }: Doubtful): string {
  const name = `${stripServerPrefix(one.name)} p${percent} ${formatValue(estimate, one.unit)}`;
  if (doubt === 'above-last-bound') return `${name} is a guess above ${formatValue(lower, one.unit)}`;
  return `${name} lies between ${formatValue(lower, one.unit)} and ${formatValue(upper, one.unit)}`;
}

function numbersOf({ percent, estimate, lower, upper }: Doubtful): Found['numbers'] {
  return { percent, estimate, lower, ...(Number.isFinite(upper) && { upper }) };
}
