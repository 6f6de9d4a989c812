import type { Run } from '../run/run.ts';
import { evaluate } from './evaluate.ts';
import { ExpressionError } from './ruleError.ts';
import { InvalidRuleError, type Rule } from './rules.ts';

/** `unknown`: it cannot be told, as something that the rule speaks of is not there. */
export type Outcome = 'passed' | 'failed' | 'unknown';

/** What a rule was found to be. */
export interface RuleResult {
  readonly rule: Rule;
  readonly outcome: Outcome;
  /** The figures that decided, or why it cannot be told. Text of servers in it is as they said it. */
  readonly told: string;
  /** Where in the rule's text the reason lies, for one that cannot be told. */
  readonly at?: number;
}

/**
 * Holds every rule against a run.
 *
 * @throws RulesError for a rule that is wrong in itself.
 */
export function checkRun(run: Run, rules: readonly Rule[], baseline?: Run): RuleResult[] {
  return rules.map(rule => checked(rule, run, baseline));
}

function checked(rule: Rule, run: Run, baseline: Run | undefined): RuleResult {
  try {
    const { holds, told } = evaluate(rule.expression, rule.text, run, baseline);
    if (typeof holds === 'object') return { rule, outcome: 'unknown', told: holds.unknown, at: holds.at };
    return { rule, outcome: holds ? 'passed' : 'failed', told: told.join('; ') };
  } catch (error) {
    if (error instanceof ExpressionError) throw new InvalidRuleError(rule.place, error);
    throw error;
  }
}

/** Exit code: 1 when a rule failed, else 2 when one cannot be told, else 0. Rules that warn do not count. */
export function toExitCode(all: readonly RuleResult[]): 0 | 1 | 2 {
  const counted = all.filter(({ rule }) => rule.severity === 'error');
  if (counted.some(({ outcome }) => outcome === 'failed')) return 1;
  return counted.some(({ outcome }) => outcome === 'unknown') ? 2 : 0;
}
