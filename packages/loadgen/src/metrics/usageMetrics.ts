import { generatesText } from '../endpoint/endpoints.ts';
import type { RequestRecord } from '../requestRecord.ts';
import type { Usage } from '../response/usage.ts';
import type { RecordMetric } from './measure.ts';

/** Token counts reported by the server, and their differences from the client's counts. */
export const USAGE_METRICS: readonly RecordMetric[] = [
  createCountMetric('usage_prompt_tokens', 'promptTokens'),
  createCountMetric('usage_completion_tokens', 'completionTokens'),
  createCountMetric('usage_total_tokens', 'totalTokens'),
  createCountMetric('usage_reasoning_tokens', 'reasoningTokens'),
  createCountMetric('usage_prompt_cache_read_tokens', 'cachedTokens'),
  createCountMetric('usage_prompt_cache_write_tokens', 'cacheWriteTokens'),
  createCountMetric('usage_prompt_cache_miss_tokens', 'cacheMissTokens'),
  createCountMetric('usage_accepted_prediction_tokens', 'acceptedPredictionTokens'),
  createCountMetric('usage_rejected_prediction_tokens', 'rejectedPredictionTokens'),
  createCountMetric('usage_prompt_audio_tokens', 'promptAudioTokens'),
  createCountMetric('usage_completion_audio_tokens', 'completionAudioTokens'),
  createCountMetric('usage_prompt_audio_seconds', 'promptAudioSeconds', 'sec'),
  createCountMetric('usage_tool_use_prompt_tokens', 'toolUsePromptTokens'),
  createDifferenceMetric('usage_prompt_tokens_diff_pct', 'promptTokens', ({ counted }) => counted.input),
  createDifferenceMetric('usage_completion_tokens_diff_pct', 'completionTokens', ({ counted, endpoint }) =>
    counted.output === undefined || !generatesText(endpoint)
      ? undefined
      : counted.output + (counted.reasoning ?? 0),
  ),
  createDifferenceMetric(
    'usage_reasoning_tokens_diff_pct',
    'reasoningTokens',
    ({ counted }) => counted.reasoning,
  ),
];

/**
 * Maximum difference between the counts of server and client before a request counts as a discrepancy, in
 * percent.
 */
const MAX_DIFFERENCE_PERCENT = 10;

const DIFFERENCE_TAGS = [
  'usage_prompt_tokens_diff_pct',
  'usage_completion_tokens_diff_pct',
  'usage_reasoning_tokens_diff_pct',
] as const;

/** Reports whether both server and client counted the tokens of a request, given its metrics. */
export function hasBothCounts(values: Readonly<Record<string, unknown>>): boolean {
  return DIFFERENCE_TAGS.some(tag => tag in values);
}

/** Reports whether the counts of server and client differ by more than 10%, given the metrics of a request. */
export function isDiscrepancy(values: Readonly<Record<string, unknown>>): boolean {
  return DIFFERENCE_TAGS.some(tag => typeof values[tag] === 'number' && values[tag] > MAX_DIFFERENCE_PERCENT);
}

function createCountMetric(tag: string, field: keyof Usage, unit = 'tokens'): RecordMetric {
  return { tag, unit, compute: ({ record }) => record.usage?.[field] };
}

function createDifferenceMetric(
  tag: string,
  field: keyof Usage,
  readClientCount: (record: RequestRecord) => number | undefined,
): RecordMetric {
  return {
    tag,
    unit: '%',
    compute: ({ record }) => {
      const client = readClientCount(record);
      const server = record.usage?.[field];
      if (client === undefined || client <= 0 || server === undefined) return undefined;
      return (Math.abs(server - client) / client) * 100;
    },
  };
}
