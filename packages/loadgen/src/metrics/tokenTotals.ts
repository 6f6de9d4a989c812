import { divide } from './measure.ts';
import type { MetricDistributions } from './metricDistributions.ts';
import { createSingleValue, type SingleValue, toMetric } from './singleValue.ts';

/** Totals, each with the metric that it sums. */
const TOTALS: readonly (readonly [total: string, tag: string])[] = [
  ['total_isl', 'input_sequence_length'],
  ['total_osl', 'output_sequence_length'],
  ['total_output_tokens', 'output_token_count'],
  ['total_reasoning_tokens', 'reasoning_token_count'],
  ['total_error_isl', 'error_isl'],
  ...[
    ...['usage_prompt_tokens', 'usage_completion_tokens', 'usage_total_tokens', 'usage_reasoning_tokens'],
    ...[
      'usage_prompt_cache_read_tokens',
      'usage_prompt_cache_write_tokens',
      'usage_prompt_cache_miss_tokens',
    ],
    ...['usage_accepted_prediction_tokens', 'usage_rejected_prediction_tokens'],
    ...['usage_prompt_audio_tokens', 'usage_completion_audio_tokens', 'usage_prompt_audio_seconds'],
    'usage_tool_use_prompt_tokens',
  ].map(tag => [`total_${tag}`, tag] as const),
  ['total_spec_decode_steps', 'spec_decode_steps'],
  ['total_accepted_draft_tokens', 'spec_decode_accepted_draft_tokens'],
  ['total_draft_tokens', 'spec_decode_draft_tokens'],
];

/** Sums the token counts of all requests. */
export function sumTokens(distributions: MetricDistributions): Record<string, SingleValue> {
  const totals = TOTALS.flatMap(([total, tag]) => {
    const sum = distributions.sum(tag);
    return sum === undefined ? [] : [[total, createSingleValue(sum, distributions.get(tag)!.unit)] as const];
  });
  return Object.fromEntries(totals);
}

/** Computes shares of the tokens of all requests. */
export function computeTokenShares(distributions: MetricDistributions): Record<string, SingleValue> {
  const sum = (tag: string): number | undefined => distributions.sum(tag);
  const accepted = sum('spec_decode_accepted_draft_tokens');
  const perStep = divide(accepted, sum('spec_decode_steps'));
  return {
    ...toMetric(
      'overall_thinking_efficiency',
      divide(sum('reasoning_token_count'), sum('output_sequence_length')),
      'ratio',
    ),
    ...toMetric(
      'overall_usage_prompt_cache_read_pct',
      computePercentage(sum('usage_prompt_cache_read_tokens'), sum('usage_prompt_tokens')),
      '%',
    ),
    ...toMetric(
      'spec_decode_token_weighted_acceptance_length',
      perStep === undefined ? undefined : 1 + perStep,
      'ratio',
    ),
    ...toMetric(
      'spec_decode_overall_draft_acceptance_rate',
      computePercentage(accepted, sum('spec_decode_draft_tokens')),
      '%',
    ),
  };
}

function computePercentage(part: number | undefined, whole: number | undefined): number | undefined {
  const fraction = divide(part, whole);
  return fraction === undefined ? undefined : fraction * 100;
}
