import { withDerivedMetrics } from '../derived/derivedFamilies.ts';
import type { Run } from '../run/run.ts';
import { type ComparedValues, evaluate } from './evaluate.ts';
import { ExpressionError } from './expression.ts';
import type { RateEnd, RateEnds } from './rateEnds.ts';
import { InvalidRuleError, type Rule } from './rules.ts';

/**
 * The outcome of a rule. `unknown`: the rule cannot be evaluated, for example because it refers to a metric that
 * does not exist.
 */
export type Outcome = 'passed' | 'failed' | 'unknown';

/** The result of checking one rule. */
export interface RuleResult {
  readonly rule: Rule;
  readonly outcome: Outcome;
  /** The compared values, or why the rule cannot be evaluated. Text from servers is not escaped. */
  readonly detail: string;
  /** The offset in the rule's text that the reason refers to, if the rule cannot be evaluated. */
  readonly offset?: number;
  /** The compared values of a rule that is a single comparison of known values. */
  readonly compared?: ComparedValues;
}

/**
 * Checks a run against rules, which may refer to a baseline run.
 *
 * @throws InvalidRuleError if a rule contains an invalid regular expression
 */
export function checkRun(run: Run, rules: readonly Rule[], baseline?: Run): RuleResult[] {
  const baselineWithDerived = baseline && withDerivedMetrics(baseline);
  return rules.map(rule => checkRule(rule, withDerivedMetrics(run), baselineWithDerived));
}

const UNKNOWN_RATE = 'the outcome depends on the rate in the profiling phase, which is between the two';

/** Explains why the rates of a rule are intervals. */
function describeRates(runs: readonly (Run | undefined)[]): string {
  const covers = runs.some(run => run?.window?.kind === 'aiperf')
    ? "the export covers AIPerf's window"
    : 'the window of the export is unknown';
  return `${covers}, and ${UNKNOWN_RATE}`;
}

/** Lists the ends of the intervals of rates to evaluate a rule with. A rule has an outcome only if it is the same for all. */
function listRateEnds(run: Run, baseline: Run | undefined): RateEnds[] {
  const listEnds = (side: Run | undefined): readonly RateEnd[] =>
    side?.window ? ['lower', 'upper'] : ['lower'];
  return listEnds(run).flatMap(end => listEnds(baseline).map(other => ({ run: end, baseline: other })));
}

function checkRule(rule: Rule, run: Run, baseline: Run | undefined): RuleResult {
  try {
    const evaluations = listRateEnds(run, baseline).map(ends =>
      evaluate(rule.expression, rule.text, run, baseline, ends),
    );
    for (const { holds } of evaluations)
      if (typeof holds === 'object')
        return { rule, outcome: 'unknown', detail: holds.unknown, offset: holds.at };
    const details = [...new Set(evaluations.map(({ comparisons }) => comparisons.join('; ')))];
    const outcomes = new Set(evaluations.map(({ holds }) => holds));
    if (outcomes.size > 1)
      return {
        rule,
        outcome: 'unknown',
        detail: `${describeRates([run, baseline])}: ${details.join(', or ')}`,
      };
    const [compared] = rule.expression.kind === 'comparison' ? evaluations[0]!.values : [];
    return {
      rule,
      outcome: outcomes.has(true) ? 'passed' : 'failed',
      detail: details.join(', or '),
      ...(compared && { compared }),
    };
  } catch (error) {
    if (error instanceof ExpressionError) throw new InvalidRuleError(rule.location, error);
    throw error;
  }
}

/**
 * Returns the exit code: 1 if a rule failed, otherwise 2 if a rule cannot be evaluated, otherwise 0. Rules with
 * severity `warn` are ignored.
 */
export function toExitCode(results: readonly RuleResult[]): 0 | 1 | 2 {
  const decisive = results.filter(({ rule }) => rule.severity === 'error');
  if (decisive.some(({ outcome }) => outcome === 'failed')) return 1;
  return decisive.some(({ outcome }) => outcome === 'unknown') ? 2 : 0;
}
