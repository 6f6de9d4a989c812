import type { SlaTier, SlaTierResult } from '@org/formats';
import { estimateBoundary, type Step } from '@org/search';
import { combineResults } from './measureRun.ts';
import { type MeasuredRun, toProbes } from './probes.ts';
import type { SearchPlan, SearchTier } from './searchPlan.ts';

/** The search of one tier: it judges the runs of all tiers by its own limits. */
interface TierSearch {
  readonly plan: SearchPlan;
  readonly runs: readonly MeasuredRun[];
}

/**
 * Plans the next step of a search with several tiers: the step of the first tier whose boundary is not known yet. A run is
 * never ended early, because it is evidence for all tiers. The search ends when the search of each tier has ended, with the
 * most important of their reasons.
 */
export function planTiers(
  plan: SearchPlan,
  tiers: readonly SearchTier[],
  runs: readonly MeasuredRun[],
  planTier: (plan: SearchPlan, runs: readonly MeasuredRun[]) => Step,
): Step {
  const reasons: Extract<Step, { kind: 'stop' }>['reason'][] = [];
  for (const tier of tiers) {
    const search = selectTier(plan, runs, tier);
    const step = planTier(search.plan, search.runs);
    if (step.kind === 'probe') return { ...step, mayEndEarly: false };
    reasons.push(step.reason);
  }
  const [first] = reasons;
  if (reasons.every(reason => reason === first)) return { kind: 'stop', reason: first! };
  const problem = PROBLEMS.find(reason => reasons.includes(reason));
  return { kind: 'stop', reason: problem ?? 'precision_reached' };
}

/** Reasons of a tier that affect the whole search, the most important one first. */
const PROBLEMS = ['unknown_verdict', 'max_iterations', 'non_monotonic'] as const;

function selectTier(plan: SearchPlan, runs: readonly MeasuredRun[], { limits }: SearchTier): TierSearch {
  const { tiers: _, ...single } = plan;
  const rules = new Set(limits.map(({ rule }) => rule));
  return {
    plan: { ...single, limits },
    runs: runs.map(run => ({
      ...run,
      measurement: combineResults(run.measurement.limits.filter(({ limit }) => rules.has(limit))),
    })),
  };
}

/** Describes the limits of the tiers in AIPerf's form. */
export function describeTiers(tiers: readonly SearchTier[]): SlaTier[] {
  return tiers.map(({ label, own }) => ({
    label,
    filters: own.flatMap(({ filter }) => (filter ? [filter] : [])),
  }));
}

/** Describes the boundary of each tier. `planTier` plans the next step of its search. */
export function summarizeTiers(
  plan: SearchPlan,
  tiers: readonly SearchTier[],
  runs: readonly MeasuredRun[],
  { level, planTier }: { readonly level: number; readonly planTier: Parameters<typeof planTiers>[3] },
): SlaTierResult[] {
  return tiers.map(tier => {
    const search = selectTier(plan, runs, tier);
    const step = planTier(search.plan, search.runs);
    const { passed, failed, interval } = estimateBoundary(toProbes(search.plan, search.runs), level);
    const reason = step.kind === 'stop' ? step.reason : null;
    return {
      label: tier.label,
      boundary_concurrency: passed ?? null,
      convergence_status: toStatus(reason),
      convergence_reason: reason,
      binding_constraint: failed === undefined ? null : findConstraint(search, failed),
      bracket_lower: passed ?? null,
      bracket_upper: failed ?? null,
      confidence_interval: interval ? { low: interval.low, high: interval.high } : null,
      probe_count: runs.length,
      filters: tier.limits.flatMap(({ filter }) => (filter ? [filter] : [])),
    };
  });
}

function toStatus(reason: string | null): SlaTierResult['convergence_status'] {
  if (reason === 'no_pass_in_range' || reason === 'no_failure_in_range') return reason;
  return reason === 'precision_reached' ? 'converged' : 'partial';
}

/** Finds the limit that is exceeded most at a value. */
function findConstraint(
  { plan, runs }: TierSearch,
  value: number,
): NonNullable<SlaTierResult['binding_constraint']> | null {
  const { path } = plan.dimensions[0]!;
  const failed = runs.findLast(
    ({ outcome, measurement }) =>
      outcome.run.variation.values[path] === value && measurement.verdict === 'failed',
  );
  const breaches = failed?.measurement.limits.filter(({ outcome }) => outcome === 'failed') ?? [];
  const [breach] = [...breaches].sort((a, b) => (b.margin ?? 0) - (a.margin ?? 0));
  if (!breach) return null;
  const filter = plan.limits.find(({ rule }) => rule === breach.limit)?.filter;
  return { limit: breach.limit, ...filter, observed: breach.observed ?? null };
}
