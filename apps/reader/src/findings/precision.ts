import { bucketAt, bucketTable } from '../buckets.ts';
import { figure } from '../figure.ts';
import { type RunSeries, statOf } from '../run/series.ts';
import { bareName } from '../servers.ts';
import type { Evidence, FindingRule, Thresholds } from './finding.ts';
import type { Role } from './roles.ts';
import type { Subject } from './subject.ts';

type Doubt = 'above-last-bound' | 'wide';

const LATENCIES: readonly Role[] = ['firstToken', 'betweenTokens', 'latency'];
const PERCENTILES = [50, 90, 95, 99];
const ADVICE =
  'The server’s buckets are too coarse: compare averages, which are exact, or measure at the client.';

/** How far estimated percentiles are to be trusted. */
export const PRECISION_RULES: readonly FindingRule[] = [
  {
    id: 'percentile-open',
    about: 'server',
    weight: 'warning',
    title: 'percentile in the +Inf bucket',
    advice: ADVICE,
    thresholds: { percentile: { value: 99, meaning: 'highest percentile that is looked at' } },
    find: (subject, at) => doubtful(subject, 'above-last-bound', at),
  },
  {
    id: 'percentile-wide',
    about: 'server',
    weight: 'note',
    title: 'percentile with wide bounds',
    advice: ADVICE,
    thresholds: {
      percentile: { value: 99, meaning: 'highest percentile that is looked at' },
      width: { value: 1, meaning: 'width of the bounds against the estimate' },
    },
    find: (subject, at) => doubtful(subject, 'wide', at),
  },
];

function doubtful(subject: Subject, doubt: Doubt, at: Thresholds): Omit<Evidence, 'endpoint'> | undefined {
  const found = LATENCIES.flatMap(role => subject.series(role)).flatMap(one =>
    PERCENTILES.filter(percent => percent <= at.percentile!).flatMap(
      percent => doubtOf(one, percent, doubt, at.width ?? 1) ?? [],
    ),
  );
  const worst = found.sort((a, b) => b.size - a.size)[0];
  if (!worst) return undefined;
  const more = found.length > 1 ? `, and ${found.length - 1} more` : '';
  return { ...worst, text: `${worst.text}${more}` };
}

function doubtOf(
  one: RunSeries,
  percent: number,
  doubt: Doubt,
  width: number,
): Omit<Evidence, 'endpoint'> | undefined {
  const estimate = statOf(one, `p${percent}_estimate`);
  const bounds = boundsOf(one, percent);
  if (estimate === undefined || !bounds) return undefined;
  const [lower, upper, isOpen] = bounds;
  if (isOpen !== (doubt === 'above-last-bound')) return undefined;
  if (!isOpen && !(upper - lower > width * Math.abs(estimate))) return undefined;
  const name = `${bareName(one.name)} p${percent}`;
  const shown = `${figure(lower, one.unit)} and ${figure(upper, one.unit)}`;
  return {
    text: isOpen
      ? `${name} ${figure(estimate, one.unit)} is a guess above ${figure(lower, one.unit)}`
      : `${name} ${figure(estimate, one.unit)} lies between ${shown}`,
    numbers: { percent, estimate, lower, ...(Number.isFinite(upper) && { upper }) },
    size: isOpen ? 100 - percent : (upper - lower) / Math.max(Math.abs(estimate), Number.MIN_VALUE),
  };
}

/** What the export guarantees, or else what its buckets do; and whether it is in the bucket without an end. */
function boundsOf(
  one: RunSeries,
  percent: number,
): readonly [lower: number, upper: number, isOpen: boolean] | undefined {
  const table = bucketTable(one.buckets);
  if (!table) return undefined;
  const [lower, upper] = bucketAt(table, percent / 100);
  if (!Number.isFinite(upper)) return [lower, upper, true];
  const certain =
    one.bounds && Object.hasOwn(one.bounds, `p${percent}`) ? one.bounds[`p${percent}`] : undefined;
  return [certain?.[0] ?? lower, certain?.[1] ?? upper, false];
}
