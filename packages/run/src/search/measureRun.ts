import { checkRun, InvalidRuleError, openRun, parseRule, type RuleResult, RunError } from '@org/analysis';
import type { LimitResult } from '@org/formats';
import { FormatError } from '@org/formats/read';
import type { Verdict } from '@org/search';
import type { SearchLimit } from './searchPlan.ts';

/** A limit of a search that is not a valid rule. */
export const LIMIT_LOCATION = '--search-sla';

/** The results of all limits in one run. */
export interface Measurement {
  readonly verdict: Verdict;
  /** The largest margin; absent if the margin of a limit is unknown. */
  readonly margin?: number;
  readonly limits: readonly LimitResult[];
}

/** Checks the exports of a run against the limits of a search. */
export async function measureRun(folder: string, limits: readonly SearchLimit[]): Promise<Measurement> {
  const rules = limits.map(({ rule }) => ({ ...parseRule(rule, LIMIT_LOCATION), text: rule }));
  try {
    return combineResults(checkRun(await openRun(folder), rules).map(toLimitResult));
  } catch (error) {
    if (!(error instanceof RunError || error instanceof FormatError || error instanceof InvalidRuleError))
      throw error;
    const { message: detail } = error;
    return combineResults(limits.map(({ rule: limit }) => ({ limit, outcome: 'unknown', detail })));
  }
}

/** Combines the results of all limits. A limit that failed decides, also if another one is unknown. */
export function combineResults(limits: readonly LimitResult[]): Measurement {
  const outcomes = limits.map(({ outcome }) => outcome);
  const verdict = outcomes.includes('failed')
    ? 'failed'
    : outcomes.includes('unknown')
      ? 'unknown'
      : 'passed';
  const margins = limits.flatMap(({ margin }) => (margin === undefined ? [] : [margin]));
  const hasAll = margins.length === limits.length && margins.length > 0;
  return { verdict, ...(hasAll && { margin: Math.max(...margins) }), limits };
}

function toLimitResult({ rule, outcome, detail, compared }: RuleResult): LimitResult {
  const margin = compared && computeMargin(compared);
  return {
    limit: rule.text,
    outcome,
    detail,
    ...(compared && { observed: compared.found, required: compared.required }),
    ...(margin !== undefined && { margin }),
  };
}

/**
 * Computes the distance to a limit as a fraction of it, which is positive beyond the limit. A limit of 0 has no fraction, so
 * the difference is used. Limits of equality have no margin.
 */
function computeMargin({
  found,
  operator,
  required,
}: NonNullable<RuleResult['compared']>): number | undefined {
  const scale = Math.abs(required) || 1;
  if (operator === '<' || operator === '<=') return (found - required) / scale;
  if (operator === '>' || operator === '>=') return (required - found) / scale;
  return undefined;
}
