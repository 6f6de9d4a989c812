import type { Expression } from './expression.ts';
import { convertTo, toLiteral, toQuantity } from './quantity.ts';

/** An upper limit of a percentile of a metric of requests. */
export interface ClientLimit {
  /** Tag of the metric, such as `time_to_first_token`. */
  readonly metric: string;
  /** The percentile as a share of the requests, from 0 to 1; 1 for the maximum. */
  readonly share: number;
  /** The limit in milliseconds. */
  readonly max: number;
}

/** Metrics with one value per successful request, in milliseconds. */
const REQUEST_METRICS: ReadonlySet<string> = new Set([
  'time_to_first_token',
  'time_to_second_token',
  'inter_token_latency',
  'request_latency',
]);

/** Reads a rule such as `time_to_first_token.p95 < 200ms`; undefined if it has another form. */
export function readClientLimit(rule: Expression): ClientLimit | undefined {
  if (rule.kind !== 'comparison' || (rule.operator !== '<' && rule.operator !== '<=')) return undefined;
  const { left, right } = rule;
  if (left.kind !== 'selector' || left.matchers.length > 0 || right.kind !== 'number') return undefined;
  const share = left.stat === null ? undefined : readShare(left.stat);
  const max = convertTo(toQuantity(0, 'ms'), toLiteral(right.value, right.unit));
  if (share === undefined || typeof max === 'string' || !REQUEST_METRICS.has(left.name)) return undefined;
  return { metric: left.name, share, max };
}

function readShare(stat: string): number | undefined {
  if (stat === 'max') return 1;
  const [, percent] = /^p(\d{1,2})$/.exec(stat) ?? [];
  return percent === undefined ? undefined : Number(percent) / 100;
}
