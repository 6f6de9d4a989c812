import { formatCount, formatPercent, formatValue } from '@org/core';
import type { BoundarySummary, SearchHistory, SearchTrial, SlaTierResult } from '@org/formats';

/** The result of a search in words, and the evidence for it. */
export interface SearchDescription {
  /** Describes the boundary, or why it is unknown. */
  readonly headline: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  /** Reasons not to trust the result. */
  readonly warnings: readonly string[];
}

/** Describes the result of a search. */
export function describeSearch(search: SearchHistory): SearchDescription {
  return {
    headline: describeResult(search),
    facts: [
      ...describeTiers(search),
      ...describeEstimate(search.boundary_summary),
      ...describeBest(search),
      ...describeProbes(search),
      ...describeUntested(search.boundary_summary),
      { name: 'Search', text: describeMethod(search) },
    ],
    warnings: listWarnings(search),
  };
}

function getLastPart(path: string): string {
  const parts = path.replace(/\.mean$/, '').split('.');
  return parts.at(-1)!;
}

function formatParameters(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([path, value]) => `${getLastPart(path)} ${formatNumber(value)}`)
    .join(', ');
}

function formatNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function describeResult(search: SearchHistory): string {
  const { boundary_summary: boundary, convergence_reason: reason } = search;
  if (boundary) return describeBoundary(boundary, reason ?? null);
  const [best] = search.best_trials ?? [];
  if (!best) return 'No run was measured';
  const range = best.feasible === false ? 'outside of the limits, because no run was within them' : 'found';
  return `Best parameters ${range}: ${formatParameters(best.variation_values)}`;
}

function describeBoundary(boundary: BoundarySummary, reason: string | null): string {
  const { feasible_max: passed, infeasible_min: failed } = boundary;
  const name = getLastPart(boundary.swept_dim_path);
  if (boundary.is_monotonic === false)
    return `No boundary: ${name} ${failed ? formatNumber(failed.value) : ''} exceeds a limit, but a higher value is within all limits`;
  if (!passed) return `Already the lowest ${name} exceeds a limit: ${formatNumber(failed!.value)}`;
  const value = formatNumber(passed.value);
  if (!failed)
    return reason === 'no_failure_in_range'
      ? `All limits hold up to the highest ${name}: ${value}; the boundary is above it`
      : `All limits hold up to ${name} ${value}; higher values were not tested`;
  const limit = boundary.binding_constraint;
  return `Highest ${name} within the limits: ${value}; at ${formatNumber(failed.value)}, ${limit === undefined ? 'a limit' : `the limit ${limit}`} fails`;
}

/** Describes the boundary of each tier. */
function describeTiers(search: SearchHistory): SearchDescription['facts'] {
  const { tier_results: tiers = [], boundary_summary: boundary } = search;
  const name = boundary ? getLastPart(boundary.swept_dim_path) : 'value';
  return tiers.map(tier => ({ name: `Tier ${tier.label}`, text: describeTier(tier, name) }));
}

function describeTier(tier: SlaTierResult, name: string): string {
  const { bracket_lower: passed, bracket_upper: failed, binding_constraint: breach } = tier;
  const limit = breach?.limit === undefined ? 'a limit' : `the limit ${breach.limit}`;
  const start =
    passed == null
      ? `no ${name} is within the limits`
      : `${name} up to ${formatNumber(passed)} is within the limits`;
  if (failed != null) return `${start}; at ${formatNumber(failed)}, ${limit} fails`;
  return tier.convergence_reason === 'no_failure_in_range'
    ? `${start}, the highest value; the boundary is above it`
    : `${start}; higher values were not tested`;
}

function describeEstimate(boundary: SearchHistory['boundary_summary']): SearchDescription['facts'] {
  const { estimate, interval } = boundary ?? {};
  if (estimate === undefined) return [];
  if (!interval)
    return [
      { name: 'Estimate', text: `${formatNumber(estimate)}, without an interval: no value was repeated` },
    ];
  const { low, high, level, is_low_open: isLowOpen, is_high_open: isHighOpen } = interval;
  const range =
    isLowOpen && isHighOpen
      ? 'of the whole tested range: the noise of repeats is larger than the effect of the parameter'
      : isLowOpen
        ? `up to ${formatNumber(high)}`
        : isHighOpen
          ? `from ${formatNumber(low)}`
          : `from ${formatNumber(low)} to ${formatNumber(high)}`;
  return [
    {
      name: 'Estimate',
      text: `${formatNumber(estimate)}, ${formatPercent(level)} confidence interval ${range}`,
    },
  ];
}

function describeBest(search: SearchHistory): SearchDescription['facts'] {
  const best = findBest(search);
  const [objective] = search.config.objectives;
  const [value] = best?.objective_values ?? [];
  if (!best || !objective || value === undefined) return [];
  const extreme = /min/i.test(objective.direction) ? 'Lowest' : 'Highest';
  const where = best.feasible === false ? ', but outside of the limits' : '';
  return [
    {
      name: `${extreme} ${objective.metric} ${objective.stat}`,
      text: `${formatValue(value, null)} at ${formatParameters(best.variation_values)}${where}`,
    },
  ];
}

/**
 * Finds the best run. Above the boundary, a run that happened to be within the limits does not count: the objective of the
 * highest value within the limits replaces it.
 */
function findBest({ best_trials, boundary_summary: boundary }: SearchHistory): SearchTrial | undefined {
  const [best] = best_trials ?? [];
  const passed = boundary?.feasible_max;
  if (!best || !passed) return best;
  const { swept_dim_path: path } = boundary;
  if ((best.variation_values[path] ?? passed.value) <= passed.value) return best;
  const { value, iteration_idx, objective_value: objective } = passed;
  if (objective == null) return undefined;
  return { iteration_idx, objective_values: [objective], variation_values: { [path]: value } };
}

const MARKS = { passed: '✓', failed: '✗', unknown: '?' } as const;

/** Lists the values in order of their first run, with the verdict of each run. */
function describeProbes({ iterations }: SearchHistory): SearchDescription['facts'] {
  const marks = new Map<string, string>();
  for (const { variation_values, verdict, feasible, ended_early } of iterations) {
    const name = Object.values(variation_values).map(formatNumber).join('/');
    const mark = `${MARKS[verdict ?? (feasible ? 'passed' : 'failed')]}${ended_early === undefined ? '' : '*'}`;
    marks.set(name, (marks.get(name) ?? '') + mark);
  }
  const early = iterations.filter(({ ended_early }) => ended_early !== undefined).length;
  const note = early === 0 ? '' : ` (*: ended early, because a limit had certainly failed)`;
  const probes = [...marks].map(([name, verdicts]) => `${name} ${verdicts}`).join(', ');
  return [{ name: formatCount(iterations.length, 'run'), text: `${probes}${note}` }];
}

function describeUntested(boundary: SearchHistory['boundary_summary']): SearchDescription['facts'] {
  const ranges = boundary?.not_tested ?? [];
  if (ranges.length === 0) return [];
  const text = ranges
    .map(({ from, to }) => `between ${formatNumber(from)} and ${formatNumber(to)}`)
    .join(', ');
  return [{ name: 'Not tested', text }];
}

const REASONS: Readonly<Record<string, string>> = {
  precision_reached: 'ended: the tested values are as close as --search-precision requires',
  no_pass_in_range: 'ended: the limits fail at the lowest value',
  no_failure_in_range: 'ended: the limits hold at the highest value',
  non_monotonic: 'ended: results contradict each other',
  unknown_verdict: 'ended: a limit could not be evaluated',
  max_iterations: 'ended after the maximum number of probes',
  cancelled: 'interrupted',
};

function describeMethod({ recipe, config, convergence_reason: reason }: SearchHistory): string {
  const parts = [
    ...(recipe ? [recipe] : []),
    `planner ${config.planner ?? 'unknown'}`,
    ...(reason ? [REASONS[reason] ?? reason] : ['active']),
  ];
  return parts.join(', ');
}

function listWarnings(search: SearchHistory): string[] {
  const { is_complete: isComplete, convergence_reason: reason, boundary_summary: boundary } = search;
  return [
    ...(isComplete === false ? ['The search was not completed: the result covers the runs so far.'] : []),
    ...(reason === 'max_iterations' && boundary?.infeasible_min
      ? ['The search ended after the maximum number of probes, before the required precision.']
      : []),
    ...(reason === 'unknown_verdict'
      ? ['The search ended because a run had no result; see the runs in search_history.json.']
      : []),
    ...describeWideInterval(search),
  ];
}

/** Warns that the interval is wider than the precision or open, although the tested values are close enough. */
function describeWideInterval({
  config: { precision, search_space: [dimension] = [] },
  convergence_reason: reason,
  boundary_summary: boundary,
}: SearchHistory): string[] {
  const { estimate, interval } = boundary ?? {};
  if (reason !== 'precision_reached' || precision === undefined || estimate === undefined || !interval)
    return [];
  const half = Math.max(precision * Math.abs(estimate), dimension?.kind === 'int' ? 1 : 0);
  // The ends may be exactly at this distance from the estimate.
  const isNarrow = interval.high - interval.low <= 2 * half * (1 + 1e-9);
  if (isNarrow && !interval.is_low_open && !interval.is_high_open) return [];
  return [
    `Repeated runs differ too much to confirm the estimate to ±${formatPercent(precision)}. Runs with more requests, or a higher --search-replicates, narrow the interval.`,
  ];
}
