import {
  AIPERF_VERSION,
  type BoundarySummary,
  type SearchHistory,
  type SearchIteration,
  type SearchTrial,
} from '@org/formats';
import { estimateBoundary, findBest, type Probe, type Step } from '@org/search';
import type { AggregateSettings } from '../repeat/aggregate.ts';
import type { RepeatPlan } from '../repeat/repeatPlan.ts';
import { isSuccess } from '../repeat/runOutcome.ts';
import { summarizeBoundary } from './boundarySummary.ts';
import { hasEndedEarly, type MeasuredRun, readObjective, toProbes } from './probes.ts';
import { planStep } from './search.ts';
import type { SearchPlan } from './searchPlan.ts';
import { describeTiers, summarizeTiers } from './tiers.ts';

/** Settings recorded in search_history.json. */
export interface HistorySettings extends AggregateSettings {
  /** True while further runs are planned. */
  readonly isActive?: boolean;
}

/** Creates search_history.json. It contains the fields of AIPerf's file, and the evidence for each verdict. */
export function createSearchHistory(
  plan: RepeatPlan,
  runs: readonly MeasuredRun[],
  settings: HistorySettings,
): SearchHistory {
  const search = plan.search!;
  const probes = toProbes(search, runs);
  const isAiperf = settings.compatibility === 'aiperf-0.13';
  const reason = findReason(plan, runs, settings);
  const boundary = search.planner === 'isotonic' ? summarize(search, runs, probes, settings) : null;
  const history: SearchHistory = {
    schema_version: '1.0',
    aiperf_version: AIPERF_VERSION,
    servelens_version: settings.version,
    config: createConfig(search, settings),
    iterations: runs.map((run, index) => createIteration(search, run, index, probes)),
    best_trials: listBest(search, probes),
    boundary_summary: boundary,
    ...listTiers(plan, runs, settings),
    recipe: search.recipe ?? null,
    convergence_reason: reason,
    is_complete: reason !== null && reason !== 'cancelled',
  };
  return isAiperf ? selectAiperfFields(history) : history;
}

/** Describes the boundaries of the tiers of a search. */
function listTiers(
  { search, repetition }: RepeatPlan,
  runs: readonly MeasuredRun[],
  { confidenceLevel: level }: HistorySettings,
): Pick<SearchHistory, 'tier_results'> {
  if (!search?.tiers) return {};
  const planTier = (plan: SearchPlan, measured: readonly MeasuredRun[]): Step =>
    planStep(plan, measured, repetition);
  return { tier_results: summarizeTiers(search, search.tiers, runs, { level, planTier }) };
}

/** Returns why the search ended; null if it is active. */
function findReason(
  plan: RepeatPlan,
  runs: readonly MeasuredRun[],
  { isActive, wasCancelled }: HistorySettings,
): string | null {
  const step = planStep(plan.search!, runs, plan.repetition);
  if (step.kind === 'stop') return step.reason;
  if (isActive) return null;
  // A killed search has no further runs either.
  return wasCancelled || step.kind === 'probe' ? 'cancelled' : null;
}

function createConfig(search: SearchPlan, { confidenceLevel }: HistorySettings): SearchHistory['config'] {
  const { objective, dimensions, limits } = search;
  return {
    planner: search.planner,
    objectives: objective
      ? [
          {
            metric: objective.metric,
            stat: objective.stat,
            direction: objective.direction.toUpperCase(),
            threshold: null,
          },
        ]
      : [],
    outcome_constraints: [],
    max_iterations: search.maxIterations,
    n_initial_points: search.planner === 'isotonic' ? 1 : search.initialPoints,
    random_seed: search.planner === 'isotonic' ? null : search.seed,
    search_space: dimensions.map(({ path, low, high, isInteger }) => ({
      path,
      lo: low,
      hi: high,
      kind: isInteger ? 'int' : 'real',
    })),
    sla_filters: limits.flatMap(({ filter }) => (filter ? [filter] : [])),
    limits: limits.map(({ rule }) => rule),
    ...(search.tiers ? { tiers: describeTiers(search.tiers) } : {}),
    ...(search.planner === 'isotonic'
      ? { precision: search.precision, replicates: search.replicates, confidence_level: confidenceLevel }
      : {}),
  };
}

function createIteration(
  search: SearchPlan,
  { outcome, measurement }: MeasuredRun,
  index: number,
  probes: readonly Probe[],
): SearchIteration {
  const objective = readObjective(search, outcome);
  const error = isSuccess(outcome) ? undefined : outcome.error;
  return {
    iteration_idx: index,
    variation_values: Object.fromEntries(
      search.dimensions.map(({ path }) => [path, Number(outcome.run.variation.values[path])]),
    ),
    objective_values: objective === undefined ? null : [objective],
    feasible: measurement.verdict === 'passed',
    non_monotonic_warning: search.planner === 'isotonic' && contradicts(probes, index),
    run: outcome.run.folder,
    verdict: measurement.verdict,
    ...(measurement.margin === undefined ? {} : { margin: measurement.margin }),
    ...(error === undefined ? {} : hasEndedEarly(outcome) ? { ended_early: error } : { error }),
    limits: measurement.limits,
  };
}

/** Reports whether a probe contradicts an earlier one: a lower value failed and a higher one passed. */
function contradicts(probes: readonly Probe[], index: number): boolean {
  const { verdict, values } = probes[index]!;
  return probes
    .slice(0, index)
    .some(earlier =>
      verdict === 'passed'
        ? earlier.verdict === 'failed' && earlier.values[0]! < values[0]!
        : verdict === 'failed' && earlier.verdict === 'passed' && earlier.values[0]! > values[0]!,
    );
}

function listBest(search: SearchPlan, probes: readonly Probe[]): SearchTrial[] | null {
  const best = search.objective && findBest(probes, search.objective.direction);
  if (!best) return null;
  return [
    {
      iteration_idx: probes.indexOf(best),
      objective_values: [best.objective!],
      variation_values: Object.fromEntries(
        search.dimensions.map(({ path }, index) => [path, best.values[index]!]),
      ),
      feasible: best.verdict === 'passed',
      feasible_count: probes.filter(({ verdict }) => verdict === 'passed').length,
      pareto_rank: 0,
    },
  ];
}

function summarize(
  search: SearchPlan,
  runs: readonly MeasuredRun[],
  probes: readonly Probe[],
  { confidenceLevel }: HistorySettings,
): BoundarySummary | null {
  return summarizeBoundary(search, runs, estimateBoundary(probes, confidenceLevel));
}

/** Selects the fields that AIPerf writes. */
function selectAiperfFields({
  config,
  iterations,
  best_trials,
  boundary_summary,
  tier_results,
  recipe,
  convergence_reason,
}: SearchHistory): SearchHistory {
  const { limits: _limits, precision: _precision, replicates: _replicates, ...settings } = config;
  const { confidence_level: _level, ...aiperfConfig } = settings;
  return {
    config: aiperfConfig,
    iterations: iterations.map(
      ({ iteration_idx, variation_values, objective_values = null, feasible, non_monotonic_warning }) => ({
        iteration_idx,
        variation_values,
        objective_values,
        feasible,
        non_monotonic_warning: non_monotonic_warning === true,
      }),
    ),
    best_trials: best_trials ?? null,
    boundary_summary: boundary_summary
      ? {
          swept_dim_path: boundary_summary.swept_dim_path,
          feasible_max: boundary_summary.feasible_max ?? null,
          infeasible_min: boundary_summary.infeasible_min ?? null,
        }
      : null,
    ...(tier_results ? { tier_results } : {}),
    recipe: recipe ?? null,
    convergence_reason: convergence_reason ?? null,
  };
}
