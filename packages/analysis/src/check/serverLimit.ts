import type { Comparator, Expression } from './expression.ts';

/** An upper limit of the largest value of a gauge, over all series of this name. */
export interface ServerLimit {
  /** Name of the metric, such as `vllm:num_requests_waiting`. */
  readonly metric: string;
  readonly operator: Extract<Comparator, '<' | '<='>;
  /** The limit in the unit of the metric. */
  readonly max: number;
}

/** Reads a rule such as `max(vllm:num_requests_waiting) < 5`; undefined if it has another form. */
export function readServerLimit(rule: Expression): ServerLimit | undefined {
  if (rule.kind !== 'comparison' || (rule.operator !== '<' && rule.operator !== '<=')) return undefined;
  const { left, operator, right } = rule;
  if (left.kind !== 'call' || left.name !== 'max' || left.argument.kind !== 'selector') return undefined;
  const { name, matchers, stat } = left.argument;
  if (matchers.length > 0 || (stat !== null && stat !== 'max')) return undefined;
  // A unit is converted to the unit of the metric, which is known only from the exports.
  if (right.kind !== 'number' || right.unit !== null) return undefined;
  return { metric: name, operator, max: right.value };
}
