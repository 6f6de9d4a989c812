import { formatCount, formatValue } from '@org/core';
import type { ProfileExport, ProfileMetric } from '@org/formats';
import { describeOverSaturation } from '@org/record';
import { formatPercent, formatRequests } from './screenText.ts';

/** The minimum p99 send delay that is reported, in milliseconds. */
const MIN_SEND_DELAY_MS = 5;
/** The minimum p99 send delay that is reported, as a fraction of the mean latency. */
const MIN_SEND_DELAY_RATIO = 0.05;

/** The minimum share of chunks that arrived together that is reported. */
const MIN_COALESCED_SHARE = 0.01;

/** The minimum difference of token counts that is reported, in percent, as in AIPerf. */
const MIN_DISCREPANCY_PERCENT = 10;

/** Lists warnings about the accuracy of client metrics. */
export function listProfileWarnings(document: ProfileExport): string[] {
  const readAverage = (tag: string): number => (document[tag] as ProfileMetric | undefined)?.avg ?? 0;
  const requests = readAverage('request_count');
  const {
    warnings = [],
    unsent_requests: unsent = 0,
    over_saturation: saturation,
  } = document.load_generator ?? {};
  const mismatches = readAverage('osl_mismatch_count');
  return [
    ...(saturation ? [describeOverSaturation(saturation)] : []),
    ...warnings.map(({ message }) => message),
    ...describeSendDelays(document),
    ...describeMissingUsage(document, requests),
    ...describeRejectedUsage(document),
    ...describeCoalescedChunks(readAverage('coalesced_chunk_share')),
    ...(unsent > 0
      ? [
          `${formatRequests(unsent)} could not be sent before --benchmark-duration ended, because --concurrency was reached`,
        ]
      : []),
    ...describeDiscrepancies(document, requests),
    ...describeLengths(document, mismatches, requests),
  ];
}

/**
 * Returns a warning if responses do not have the requested length. Recommends `ignore_eos` only if the server ended
 * responses early: a different tokenizer also changes the length that the client counts.
 */
function describeLengths(document: ProfileExport, mismatches: number, requests: number): string[] {
  if (mismatches === 0) return [];
  const difference = (document.osl_mismatch_diff_pct as ProfileMetric | undefined)?.avg ?? 0;
  const size = `${Math.abs(difference).toFixed(1)}% ${difference < 0 ? 'shorter' : 'longer'} on average`;
  return [
    `${mismatches} of ${formatCount(requests, 'response')} do not have the requested length (${size}); ${findLengthCause(document, difference)}`,
  ];
}

function findLengthCause({ load_generator: load }: ProfileExport, difference: number): string {
  const { early_stops: earlyStops = 0, token_source: source } = load ?? {};
  if (earlyStops > 0)
    return `the server ended ${formatCount(earlyStops, 'response')} early: set --extra-inputs ignore_eos:true or min_tokens:N`;
  if (source === 'client')
    return 'the server did not end them early, so the tokenizer of the client counts differently: set --tokenizer PATH, or use --token-count server';
  return difference > 0
    ? 'the server does not apply the requested length: set --use-legacy-max-tokens, or the field that it reads with --extra-inputs'
    : 'the server did not end them early';
}

/**
 * Returns a warning if the token counts of client and server differ. If metrics use the counts of the server, only different
 * counts of responses matter: the chat template adds tokens to each prompt.
 */
function describeDiscrepancies(document: ProfileExport, requests: number): string[] {
  const count = (document.usage_discrepancy_count as ProfileMetric | undefined)?.avg ?? 0;
  const [prompts, responses] = ['usage_prompt_tokens_diff_pct', 'usage_completion_tokens_diff_pct'].map(
    tag => (document[tag] as ProfileMetric | undefined)?.avg ?? 0,
  );
  if (count === 0) return [];
  const { token_source: source, tokenizer } = document.load_generator ?? {};
  if (source !== 'server')
    return [
      `token counts of client and server differ by more than ${MIN_DISCREPANCY_PERCENT}% in ${count} of ${formatRequests(requests)}; ` +
        'the server may use a different tokenizer or chat template; set --tokenizer PATH, or use --token-count server',
    ];
  if (responses! <= MIN_DISCREPANCY_PERCENT) return [];
  return [
    `the tokenizer of the client (${tokenizer}) counts differently than the server: on average by ${responses!.toFixed(1)}% in responses and ` +
      `${prompts!.toFixed(1)}% in prompts, so generated prompts do not have the length --isl; set --tokenizer to the tokenizer of the model`,
  ];
}

/** Returns a warning if metrics use the counts of the server, but some responses have no `usage` field. */
function describeMissingUsage(document: ProfileExport, requests: number): string[] {
  const { token_source: source, tokenizer } = document.load_generator ?? {};
  if ((source ?? tokenizer) !== 'server') return [];
  const counted = (document.usage_prompt_tokens as ProfileMetric | undefined)?.count ?? 0;
  if (counted >= requests) return [];
  return [
    `${requests - counted} of ${requests} responses have no usage field, so their tokens are not counted; ` +
      'use --token-count client with --tokenizer',
  ];
}

/** Returns a warning if the server rejected requests because they ask for `usage` at the end of a stream. */
function describeRejectedUsage({ error_summary: errors = [] }: ProfileExport): string[] {
  const isRejected = errors.some(({ error_details: details }) =>
    details?.message?.includes('stream_options'),
  );
  return isRejected
    ? [
        'the server does not accept stream_options, which requests token counts; set --extra-inputs stream_options:null',
      ]
    : [];
}

/** Returns a warning if many chunks of streams arrived together, which makes the gaps between them unknown. */
function describeCoalescedChunks(share: number): string[] {
  if (share < MIN_COALESCED_SHARE) return [];
  return [
    `${formatPercent(share)} of chunks arrived together with the chunk before, ` +
      'so the time to second token and the gaps between chunks are known only for the others',
  ];
}

/** The options of a phase that a warning names. */
interface PhaseConfig {
  readonly name?: string;
  readonly rate?: number;
  readonly concurrency?: number;
}

/** Returns the options of the profiling phase. Servelens 0.1 wrote an object with a field per phase. */
function findProfilingPhase({ input_config: config }: ProfileExport): PhaseConfig | undefined {
  const { phases } = (config ?? {}) as {
    readonly phases?: PhaseConfig[] | { readonly profiling?: PhaseConfig };
  };
  return Array.isArray(phases) ? phases.find(({ name }) => name === 'profiling') : phases?.profiling;
}

/** Returns a warning if the concurrency limit delayed requests. Latencies exclude these delays. */
function describeSendDelays(document: ProfileExport): string[] {
  const { rate, concurrency } = findProfilingPhase(document) ?? {};
  const delay = document.credit_drop_latency as ProfileMetric | undefined;
  const latency = (document.request_latency as ProfileMetric | undefined)?.avg ?? 0;
  if (rate === undefined || concurrency === undefined || delay?.p99 === undefined) return [];
  if (delay.p99 < Math.max(MIN_SEND_DELAY_MS, MIN_SEND_DELAY_RATIO * latency)) return [];
  const [mean, p99] = [formatValue(delay.avg ?? 0, 'ms'), formatValue(delay.p99, 'ms')];
  return [
    `requests were sent ${mean} late on average (p99 ${p99}), because --concurrency ${concurrency} limits the rate of ${rate} requests/s; ` +
      'latencies exclude this delay, which is in credit_drop_latency',
  ];
}
