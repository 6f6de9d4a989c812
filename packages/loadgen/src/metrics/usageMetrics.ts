import type { RequestRecord } from '../requestRecord.ts';
import type { Usage } from '../response/usage.ts';
import type { RecordMetric } from './recordMetric.ts';

/** What the server reported, and how far from what the client counted it is. */
export const USAGE_METRICS: readonly RecordMetric[] = [
  reported('usage_prompt_tokens', 'promptTokens'),
  reported('usage_completion_tokens', 'completionTokens'),
  reported('usage_total_tokens', 'totalTokens'),
  reported('usage_reasoning_tokens', 'reasoningTokens'),
  different('usage_prompt_tokens_diff_pct', 'promptTokens', ({ counted }) => counted.input),
  different('usage_completion_tokens_diff_pct', 'completionTokens', ({ counted, endpoint }) =>
    counted.output === undefined || endpoint === 'embeddings'
      ? undefined
      : counted.output + (counted.reasoning ?? 0),
  ),
  different('usage_reasoning_tokens_diff_pct', 'reasoningTokens', ({ counted }) => counted.reasoning),
];

/** A request is a discrepancy when server and client differ by more than this, percent. */
const MOST_DIFFERENCE = 10;

const DIFFERENCES = [
  'usage_prompt_tokens_diff_pct',
  'usage_completion_tokens_diff_pct',
  'usage_reasoning_tokens_diff_pct',
] as const;

/** Whether both sides have counted a request, so that they can be compared. */
export function isCompared(values: Readonly<Record<string, unknown>>): boolean {
  return DIFFERENCES.some(tag => tag in values);
}

/** Whether the server's counts of a request are not the client's, from what was measured of it. */
export function isDiscrepancy(values: Readonly<Record<string, unknown>>): boolean {
  return DIFFERENCES.some(tag => typeof values[tag] === 'number' && values[tag] > MOST_DIFFERENCE);
}

function reported(tag: string, field: keyof Usage): RecordMetric {
  return { tag, unit: 'tokens', of: ({ record }) => record.usage?.[field] };
}

function different(
  tag: string,
  field: keyof Usage,
  own: (record: RequestRecord) => number | undefined,
): RecordMetric {
  return {
    tag,
    unit: '%',
    of: ({ record }) => {
      const counted = own(record);
      const reported = record.usage?.[field];
      if (counted === undefined || counted <= 0 || reported === undefined) return undefined;
      return (Math.abs(reported - counted) / counted) * 100;
    },
  };
}
