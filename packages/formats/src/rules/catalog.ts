import { RULE_DESCRIPTIONS } from '../generated/ruleDescriptions.ts';
import { RULE_SEVERITIES, type RuleId } from '../generated/ruleSeverities.ts';
import type { Severity } from '../validate/issue.ts';

/** A validation rule. */
export interface Rule {
  readonly id: RuleId;
  readonly severity: Severity;
  /** What violates the rule, in Markdown on one line. */
  readonly description: string;
}

/** All rules, in the order of docs/validation-rules.md. */
export const rules: readonly Rule[] = (Object.keys(RULE_SEVERITIES) as RuleId[]).map(id => ({
  id,
  severity: RULE_SEVERITIES[id],
  description: RULE_DESCRIPTIONS[id],
}));
