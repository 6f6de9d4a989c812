/** The catalogue of validation rules. */

export type { RuleId } from './generated/ruleSeverities.ts';
export { type Rule, rules } from './rules/catalog.ts';
export type { Severity } from './validate/issue.ts';
