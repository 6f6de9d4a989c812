import { planBoundary, type Step } from '@org/search';
import { expect, test } from 'vitest';
import { combineResults } from '../../src/search/measureRun.ts';
import { type MeasuredRun, toProbes } from '../../src/search/probes.ts';
import type { SearchLimit, SearchPlan, SearchTier } from '../../src/search/searchPlan.ts';
import { planTiers, summarizeTiers } from '../../src/search/tiers.ts';

const PATH = 'phases.profiling.concurrency';

function createLimit(threshold: number): SearchLimit {
  const filter = { metric_tag: 'request_latency', stat: 'avg', op: 'lt', threshold } as const;
  return { rule: `request_latency.avg < ${threshold}`, filter };
}

function createTier(label: string, threshold: number): SearchTier {
  const limit = createLimit(threshold);
  return { label, own: [limit], limits: [limit] };
}

function createPlan(tiers: readonly SearchTier[], maxIterations = 100): SearchPlan {
  return {
    dimensions: [
      { name: 'concurrency', label: 'concurrency', path: PATH, low: 1, high: 1000, isInteger: true },
    ],
    limits: tiers.flatMap(({ own }) => own),
    tiers,
    planner: 'isotonic',
    precision: 0.05,
    replicates: 1,
    maxIterations,
    initialPoints: 5,
    seed: 0,
  };
}

const planTier = (plan: SearchPlan, runs: readonly MeasuredRun[]): Step =>
  planBoundary(toProbes(plan, runs), {
    dimension: plan.dimensions[0]!,
    precision: plan.precision,
    replicates: plan.replicates,
    level: 0.95,
    maxProbes: plan.maxIterations,
  });

/** Measures a system whose latency equals the concurrency. */
function measure({ limits }: SearchPlan, concurrency: number): MeasuredRun {
  const results = limits.map(({ rule: limit, filter }) => {
    const required = filter!.threshold;
    const outcome = concurrency < required ? ('passed' as const) : ('failed' as const);
    const margin = (concurrency - required) / required;
    return { limit, outcome, detail: '', observed: concurrency, required, margin };
  });
  const run = { variation: { values: { [PATH]: concurrency } } };
  return { outcome: { run } as unknown as MeasuredRun['outcome'], measurement: combineResults(results) };
}

/** Executes a search. Returns its runs, and why it ended. */
function search(plan: SearchPlan): { readonly runs: MeasuredRun[]; readonly reason: string } {
  const runs: MeasuredRun[] = [];
  for (;;) {
    const step = planTiers(plan, plan.tiers!, runs, planTier);
    if (step.kind === 'stop') return { runs, reason: step.reason };
    expect(step.mayEndEarly).toBe(false);
    runs.push(measure(plan, step.values[0]!));
  }
}

function summarize(plan: SearchPlan, runs: readonly MeasuredRun[]) {
  return summarizeTiers(plan, plan.tiers!, runs, { level: 0.95, planTier });
}

test('finds the boundary of each tier with shared runs', () => {
  const plan = createPlan([createTier('fast', 20), createTier('slow', 300)]);
  const { runs, reason } = search(plan);
  expect(reason).toBe('precision_reached');
  const [fast, slow] = summarize(plan, runs);
  expect(fast).toMatchObject({
    label: 'fast',
    boundary_concurrency: 19,
    convergence_status: 'converged',
    bracket_lower: 19,
    bracket_upper: 20,
    binding_constraint: { limit: 'request_latency.avg < 20', threshold: 20, observed: 20 },
    filters: [{ threshold: 20 }],
    probe_count: runs.length,
  });
  expect(slow!.bracket_lower! / 300).toBeGreaterThan(0.94);
  expect(slow!.bracket_upper! / 300).toBeLessThan(1.06);
  const alone = plan.tiers!.map(tier => search(createPlan([tier])).runs.length);
  expect(runs.length).toBeLessThan(alone[0]! + alone[1]!);
});

test.each([
  [
    'a tier without a boundary',
    [createTier('none', 1), createTier('fast', 20)],
    100,
    'precision_reached',
    ['no_pass_in_range', 'converged'],
  ],
  [
    'tiers that always hold',
    [createTier('a', 2000), createTier('b', 3000)],
    100,
    'no_failure_in_range',
    ['no_failure_in_range', 'no_failure_in_range'],
  ],
  [
    'too few probes',
    [createTier('fast', 20), createTier('slow', 300)],
    4,
    'max_iterations',
    ['partial', 'partial'],
  ],
] as const)('ends a search with %s', (_, tiers, maxIterations, expected, statuses) => {
  const plan = createPlan(tiers, maxIterations);
  const { runs, reason } = search(plan);
  expect(reason).toBe(expected);
  expect(summarize(plan, runs).map(tier => tier.convergence_status)).toEqual(statuses);
});

test('describes tiers before the first run', () => {
  const plan = createPlan([createTier('fast', 20), createTier('slow', 300)]);
  expect(summarize(plan, [])[0]).toMatchObject({
    boundary_concurrency: null,
    convergence_reason: null,
    convergence_status: 'partial',
  });
});
