import type { SeriesType } from '../../run/series.ts';

/** The better values of a metric: lower or higher ones. `neither`: for example a queue length or a setting. */
export type Direction = 'lower' | 'higher' | 'neither';

/** A rule that assigns a direction to the metrics that it matches. */
export interface DirectionRule {
  readonly name: RegExp;
  /** The metric types that the rule applies to; all types by default. */
  readonly types?: readonly SeriesType[];
  readonly better: Direction;
  /** The kind of metric, for docs/compare.md. */
  readonly category: string;
}

/**
 * Rules for the direction of metrics, by their names in exports (counters without `_total`). The first matching
 * rule applies. docs/compare.md lists the rules, and a test covers each of them.
 */
export const DIRECTION_RULES: readonly DirectionRule[] = [
  {
    name: /(?:error|fail|abort|preempt|retract|timeout|cancel|reject|dropped|evict|recomputed|overflow)/,
    better: 'lower',
    category: 'lost or repeated work',
  },
  {
    name: /(?:latency|duration|_time|ttft|itl|tpot|_delay|_wait|_lag)(?:_|$)|time_to_/,
    types: ['histogram', 'summary', 'client'],
    better: 'lower',
    category: 'request times',
  },
  {
    name: /^http_req_(?!data|chunks|connection_reused)/,
    types: ['client'],
    better: 'lower',
    category: 'request times',
  },
  { name: /(?:_per_joule|_per_watt)$/, types: ['client'], better: 'higher', category: 'energy efficiency' },
  {
    name: /_(?:energy_per_\w+|gpu_energy)$/,
    types: ['client'],
    better: 'lower',
    category: 'energy',
  },
  { name: /(?:throughput|goodput|per_user)/, better: 'higher', category: 'throughput' },
  {
    name: /(?:hit_rate|acceptance_rate|acceptance_length|accepted_per_verified|cache_read_pct)$/,
    better: 'higher',
    category: 'saved work',
  },
  {
    name: /(?:generation|output|prompt|completion|iteration|input)_tokens$/,
    types: ['counter'],
    better: 'higher',
    category: 'token throughput',
  },
  {
    name: /(?:request_success|_requests|_inference_count|_requests_completed|num_requests)$/,
    types: ['counter'],
    better: 'higher',
    category: 'request throughput',
  },
];

/** Reports whether the rate of a metric depends on the load, such as a number of tokens per second. */
export function isThroughput(name: string, type: SeriesType): boolean {
  const rule = findRule(name, type);
  return rule !== undefined && /throughput/.test(rule.category);
}

/** The rule of the previous metric: most metrics have many series in a row. */
let previous: { name: string; type: SeriesType; rule: DirectionRule | undefined } | undefined;

function findRule(name: string, type: SeriesType): DirectionRule | undefined {
  if (previous?.name !== name || previous.type !== type) {
    const rule = DIRECTION_RULES.find(rule => rule.name.test(name) && (rule.types?.includes(type) ?? true));
    previous = { name, type, rule };
  }
  return previous.rule;
}

/** Labels for the outcome of a request. */
const OUTCOME_LABEL =
  /^(?:finished_reason|finish_reason|error_type|error|outcome|result|status|status_code|code)$/;
/** Outcomes of failed requests: names, and HTTP status codes from 400. */
const FAILURE = /(?:error|fail|abort|timeout|cancel|reject|internal|unavailable|overload)|^[45](?:\d\d|xx)$/i;

/**
 * Finds the direction of a metric; `neither` if no rule matches. Fewer events are better if a label states that the
 * requests failed.
 */
export function findDirection(
  name: string,
  type: SeriesType,
  labels: Readonly<Record<string, string>> = {},
): Direction {
  if (type === 'counter' && isFailure(labels)) return 'lower';
  return findRule(name, type)?.better ?? 'neither';
}

function isFailure(labels: Readonly<Record<string, string>>): boolean {
  return Object.keys(labels).some(label => OUTCOME_LABEL.test(label) && FAILURE.test(labels[label]!));
}
