import { recordMetrics } from './recordMetrics.ts';

/** What a request has to fulfil to be a good one. */
export interface GoodputRule {
  readonly tag: string;
  /** In the unit of the metric: at most this much, or at least where more is better. */
  readonly limit: number;
  readonly moreIsBetter: boolean;
  /** Set where only streams have the metric. */
  readonly needsStream?: true;
}

/** Metrics that a rule may speak of: those with one value a request. */
const RULED = new Map(
  recordMetrics(true)
    .filter(({ tag }) => tag !== 'inter_chunk_latency')
    .map(metric => [metric.tag, metric]),
);

const OF_ALL = new Set(recordMetrics(false).map(({ tag }) => tag));

/** Reads `time_to_first_token:200 inter_token_latency:10`. Throws for what is no rule. */
export function parseGoodput(text: string): GoodputRule[] {
  const words = text.split(/\s+/).filter(word => word !== '');
  if (words.length === 0) throw new RangeError('goodput is empty; TAG:VALUE ... is accepted');
  return words.map(ruleOf);
}

function ruleOf(word: string): GoodputRule {
  const [tag = '', limit = '', ...rest] = word.split(':');
  const metric = RULED.get(tag);
  if (!metric)
    throw new RangeError(
      `goodput has ${JSON.stringify(tag)}; a metric of single requests is accepted, such as time_to_first_token, inter_token_latency, request_latency, output_token_throughput_per_user`,
    );
  const value = limit.trim() === '' ? Number.NaN : Number(limit);
  if (rest.length > 0 || !(value >= 0 && Number.isFinite(value)))
    throw new RangeError(
      `goodput has ${JSON.stringify(word)}; ${tag}:NUMBER (${metric.unit}) is accepted, from 0`,
    );
  return {
    tag,
    limit: value,
    moreIsBetter: metric.moreIsBetter === true,
    ...(OF_ALL.has(tag) ? {} : { needsStream: true }),
  };
}

/** Whether a request fulfils all rules; one that a rule finds no value of does not. */
export function isGood(rules: readonly GoodputRule[], values: Readonly<Record<string, unknown>>): boolean {
  return rules.every(({ tag, limit, moreIsBetter }) => {
    const value = values[tag];
    if (typeof value !== 'number') return false;
    return moreIsBetter ? value >= limit : value <= limit;
  });
}
