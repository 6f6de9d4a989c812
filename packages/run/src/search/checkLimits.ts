import { PlanError } from '../plan/planError.ts';
import type { SearchPlan } from './searchPlan.ts';

/** Parses the limits of a search. Throws `PlanError` if one is not a valid rule. */
export async function checkLimits({ limits }: SearchPlan): Promise<void> {
  const { InvalidRuleError, parseRule } = await import('@org/analysis');
  for (const { rule } of limits)
    try {
      parseRule(rule, '--search-sla');
    } catch (error) {
      if (!(error instanceof InvalidRuleError)) throw error;
      throw new PlanError(
        'search.limits',
        `${error.problem.message}; expected METRIC:STATISTIC:lt|le|gt|ge:VALUE, or a rule such as "time_to_first_token.p95 < 200ms" or "max(vllm:num_requests_waiting) < 5"`,
        rule,
      );
    }
}
