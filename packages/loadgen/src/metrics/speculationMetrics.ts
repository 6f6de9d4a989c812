import type { Speculation } from '../response/speculation.ts';
import { divide, type RecordMetric } from './measure.ts';

/** Metrics of speculative decoding, for requests whose server reported it. */
export const SPECULATION_METRICS: readonly RecordMetric[] = [
  createMetric('spec_decode_acceptance_length', 'ratio', ({ meanLength }) => meanLength, true),
  createMetric('spec_decode_draft_acceptance_rate', '%', ({ acceptanceRate }) => acceptanceRate * 100, true),
  createMetric(
    'spec_decode_accepted_per_verified',
    'ratio',
    ({ acceptedTokens, draftTokens, steps }) => divide(acceptedTokens + steps, draftTokens + steps),
    true,
  ),
  createMetric('spec_decode_steps', 'count', ({ steps }) => steps),
  createMetric('spec_decode_accepted_draft_tokens', 'tokens', ({ acceptedTokens }) => acceptedTokens),
  createMetric('spec_decode_draft_tokens', 'tokens', ({ draftTokens }) => draftTokens),
];

function createMetric(
  tag: string,
  unit: string,
  read: (speculation: Speculation) => number | undefined,
  moreIsBetter?: true,
): RecordMetric {
  return {
    tag,
    unit,
    ...(moreIsBetter ? { moreIsBetter } : {}),
    compute: ({ record: { speculation } }) => speculation && read(speculation),
  };
}
