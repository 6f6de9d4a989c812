import { listRecordMetrics } from './recordMetrics.ts';

/** A limit that a request must meet to count toward goodput. */
export interface GoodputRule {
  readonly tag: string;
  /** Limit in the unit of the metric: a minimum if `moreIsBetter`, otherwise a maximum. */
  readonly limit: number;
  readonly moreIsBetter: boolean;
  /** Set if only streamed requests have the metric. */
  readonly needsStream?: true;
  /** Set if only requests that generate text have the metric. */
  readonly needsOutput?: true;
}

/** The metric that states whether a request meets all rules: 1 or 0. The metric of a phase is their sum. */
export const GOOD_REQUEST = { tag: 'good_request_count', unit: 'requests' } as const;

/** Metrics that rules can refer to: metrics with one value per request. */
const METRICS_BY_TAG = new Map(
  listRecordMetrics(true)
    .filter(({ tag }) => tag !== 'inter_chunk_latency')
    .map(metric => [metric.tag, metric]),
);

/** Matches the tags of metrics of generated text, which embeddings do not have. */
const OUTPUT_TAG = /output|osl|reasoning|thinking|completion/;

/** Tags of the metrics that requests have with and without streaming. */
const COMMON_TAGS = new Set(listRecordMetrics(false).map(({ tag }) => tag));

/**
 * Parses rules such as `time_to_first_token:200 inter_token_latency:10`. Throws RangeError; its message starts
 * with the invalid rule.
 */
export function parseGoodput(text: string): GoodputRule[] {
  const words = text.split(/\s+/).filter(word => word !== '');
  if (words.length === 0) throw new RangeError('"": expected METRIC:LIMIT');
  const rules = words.map(parseRule);
  const repeated = rules.findIndex(({ tag }, index) => rules.findIndex(rule => rule.tag === tag) < index);
  if (repeated !== -1)
    throw new RangeError(
      `${JSON.stringify(words[repeated])}: ${rules[repeated]!.tag} is set more than once; expected one limit`,
    );
  return rules;
}

function parseRule(word: string): GoodputRule {
  const [tag = '', limit = '', ...extraParts] = word.split(':');
  const metric = METRICS_BY_TAG.get(tag);
  if (!metric)
    throw new RangeError(
      `${JSON.stringify(word)}: unknown metric ${JSON.stringify(tag)}; expected a metric with one value per request, such as time_to_first_token, inter_token_latency, request_latency or output_token_throughput_per_user`,
    );
  const value = limit.trim() === '' ? Number.NaN : Number(limit);
  if (extraParts.length > 0 || !(value >= 0 && Number.isFinite(value)))
    throw new RangeError(
      `${JSON.stringify(word)}: expected ${tag}:NUMBER with a number of at least 0 (${metric.unit})`,
    );
  return {
    tag,
    limit: value,
    moreIsBetter: metric.moreIsBetter === true,
    ...(COMMON_TAGS.has(tag) ? {} : { needsStream: true }),
    ...(OUTPUT_TAG.test(tag) ? { needsOutput: true } : {}),
  };
}

/** Reports whether a request meets all rules. A request without a value for a rule does not meet it. */
export function meetsGoodput(
  rules: readonly GoodputRule[],
  values: Readonly<Record<string, unknown>>,
): boolean {
  return rules.every(({ tag, limit, moreIsBetter }) => {
    const value = values[tag];
    if (typeof value !== 'number') return false;
    return moreIsBetter ? value >= limit : value <= limit;
  });
}
