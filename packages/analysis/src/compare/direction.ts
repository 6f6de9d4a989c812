import type { SeriesType } from '../run/series.ts';

/** What is better: less of it, more of it, or neither (a queue, a level, a configuration). */
export type Direction = 'lower' | 'higher' | 'neither';

/** One line of the table; the first that fits decides. */
export interface DirectionRule {
  readonly name: RegExp;
  /** Types for which it holds; all without it. */
  readonly types?: readonly SeriesType[];
  readonly better: Direction;
  readonly why: string;
}

/**
 * What is better, by the name of a metric. Names are those of the exports: counters without `_total`. docs/compare.md
 * explains it; every line has a row in the tests.
 */
export const DIRECTION_RULES: readonly DirectionRule[] = [
  {
    name: /(?:error|fail|abort|preempt|retract|timeout|cancel|reject|dropped|evict|recomputed)/,
    better: 'lower',
    why: 'work that was lost or done twice',
  },
  {
    name: /(?:latency|duration|_time|ttft|itl|tpot|_delay|_wait)(?:_|$)|time_to_/,
    types: ['histogram', 'summary', 'client'],
    better: 'lower',
    why: 'times of requests',
  },
  {
    name: /^http_req_(?!data|chunks|connection_reused)/,
    types: ['client'],
    better: 'lower',
    why: 'times of requests',
  },
  { name: /(?:throughput|goodput|per_user)/, better: 'higher', why: 'work a second' },
  { name: /(?:hit_rate|acceptance_rate|acceptance_length)$/, better: 'higher', why: 'work that was saved' },
  {
    name: /(?:generation|output|prompt|completion|iteration|input)_tokens$/,
    types: ['counter'],
    better: 'higher',
    why: 'tokens a second',
  },
  {
    name: /(?:request_success|_requests|_inference_count|_requests_completed|num_requests)$/,
    types: ['counter'],
    better: 'higher',
    why: 'requests a second',
  },
];

/** What is better for a metric of this name and type: neither, when no rule says. */
export function findDirection(name: string, type: SeriesType): Direction {
  return (
    DIRECTION_RULES.find(rule => rule.name.test(name) && (rule.types?.includes(type) ?? true))?.better ??
    'neither'
  );
}
