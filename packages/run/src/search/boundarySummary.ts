import type { BoundarySummary } from '@org/formats';
import type { Boundary } from '@org/search';
import { type MeasuredRun, readObjective } from './probes.ts';
import type { SearchPlan } from './searchPlan.ts';

/** Describes a boundary with the runs on both sides of it; null if no run was evaluated. */
export function summarizeBoundary(
  search: SearchPlan,
  runs: readonly MeasuredRun[],
  { passed, failed, isMonotonic, estimate, interval }: Boundary,
): BoundarySummary | null {
  const [dimension] = search.dimensions;
  if (passed === undefined && failed === undefined) return null;
  const binding = failed === undefined ? undefined : findBreach(search, runs, failed);
  return {
    swept_dim_path: dimension!.path,
    feasible_max: passed === undefined ? null : describeSide(search, runs, passed, true),
    infeasible_min:
      failed === undefined
        ? null
        : { ...describeSide(search, runs, failed, false), first_breach: binding ?? null },
    is_monotonic: isMonotonic,
    ...(estimate === undefined ? {} : { estimate }),
    ...(interval && {
      interval: {
        low: interval.low,
        high: interval.high,
        level: interval.level,
        is_low_open: interval.isLowOpen,
        is_high_open: interval.isHighOpen,
      },
    }),
    ...(binding?.limit === undefined ? {} : { binding_constraint: binding.limit }),
    not_tested: listUntested(search, runs, passed, failed),
  };
}

function findRuns({ dimensions }: SearchPlan, runs: readonly MeasuredRun[], value: number): MeasuredRun[] {
  const { path } = dimensions[0]!;
  return runs.filter(({ outcome }) => outcome.run.variation.values[path] === value);
}

function describeSide(
  search: SearchPlan,
  runs: readonly MeasuredRun[],
  value: number,
  hasPassed: boolean,
): NonNullable<BoundarySummary['feasible_max']> {
  const all = findRuns(search, runs, value);
  const verdict = hasPassed ? 'passed' : 'failed';
  const last = all.findLast(({ measurement }) => measurement.verdict === verdict) ?? all.at(-1)!;
  const objective = readObjective(search, last.outcome) ?? null;
  return {
    value,
    iteration_idx: runs.indexOf(last),
    ...(hasPassed ? { objective_value: objective } : {}),
    runs: all.length,
  };
}

type Breach = NonNullable<NonNullable<BoundarySummary['infeasible_min']>['first_breach']>;

/** Finds the limit that is exceeded most in the last measured run of a value, or the first that failed. */
function findBreach(search: SearchPlan, runs: readonly MeasuredRun[], value: number): Breach | undefined {
  const failed = findRuns(search, runs, value).findLast(
    ({ measurement }) => measurement.verdict === 'failed',
  );
  const breaches = failed?.measurement.limits.filter(({ outcome }) => outcome === 'failed') ?? [];
  const [breach] = [...breaches].sort((a, b) => (b.margin ?? 0) - (a.margin ?? 0));
  if (!breach) return undefined;
  const filter = search.limits.find(({ rule }) => rule === breach.limit)?.filter;
  return { limit: breach.limit, ...filter, observed: breach.observed ?? null };
}

/** Lists the ranges without a run on which the result depends: at the boundary, and above the highest tested value. */
function listUntested(
  { dimensions }: SearchPlan,
  runs: readonly MeasuredRun[],
  passed: number | undefined,
  failed: number | undefined,
): { readonly from: number; readonly to: number }[] {
  const { path, high, isInteger } = dimensions[0]!;
  const tested = runs.map(({ outcome }) => Number(outcome.run.variation.values[path]));
  const highest = Math.max(...tested);
  const isWide = passed !== undefined && failed !== undefined && failed - passed > (isInteger ? 1 : 0);
  return [
    ...(isWide ? [{ from: passed, to: failed }] : []),
    ...(highest < high ? [{ from: highest, to: high }] : []),
  ];
}
