import type { ProfilePlan } from '@org/run';
import type { RawOptions } from '@org/terminal/program';
import {
  type IneffectiveOptions,
  isGiven,
  listIneffectiveScrapeOptions,
  rejectIneffective,
} from '../options/ineffective.ts';

/** Throws `UsageError` if an option of `servelens profile` is set that has no effect in this combination. */
export function rejectIneffectiveOptions(raw: RawOptions, plan: ProfilePlan): void {
  rejectIneffective(raw, [
    ...listRequestRules(plan),
    ...listInputRules(plan),
    ...listLoadRules(raw, plan),
    ...listIneffectiveScrapeOptions(raw, plan.exports?.formats ?? []),
  ]);
}

function listRequestRules({ request: { endpoint, headers }, inputs }: ProfilePlan): IneffectiveOptions[] {
  const hasAuthorization = Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
  const hasLimit = inputs.outputTokens !== undefined || inputs.file !== undefined;
  return [
    {
      options: ['streaming', 'output-tokens-mean', 'output-tokens-stddev', 'shared-system-prompt-length'],
      when: endpoint === 'embeddings',
      reason: 'with --endpoint-type embeddings',
    },
    {
      options: ['use-legacy-max-tokens'],
      when: endpoint !== 'chat',
      reason: `with --endpoint-type ${endpoint}, which always sends max_tokens`,
    },
    {
      options: ['use-legacy-max-tokens'],
      when: !hasLimit,
      reason: 'without a requested output length; set --osl',
    },
    {
      options: ['api-key'],
      when: hasAuthorization,
      reason: 'with an Authorization header (--header)',
    },
  ];
}

function listInputRules({ inputs, tokenCount }: ProfilePlan): IneffectiveOptions[] {
  const { turns, file, datasetType } = inputs;
  return [
    {
      options: ['conversation-turn-delay-mean', 'conversation-turn-delay-stddev'],
      when: file === undefined && (turns === undefined || (turns.mean === 1 && !turns.stddev)),
      reason: 'for conversations of a single turn; set --conversation-turn-mean',
    },
    {
      options: ['tokenizer'],
      // The prompts of a trace are generated, so their length depends on the tokenizer.
      when: tokenCount === 'server' && datasetType !== undefined && datasetType !== 'mooncake_trace',
      reason: 'with the token counts of the server and the prompts of a file',
    },
  ];
}

function listLoadRules(
  raw: RawOptions,
  { profiling, warmup, cancellation }: ProfilePlan,
): IneffectiveOptions[] {
  return [
    {
      options: ['arrival-pattern'],
      when: profiling.rate === undefined,
      reason: 'without --request-rate',
    },
    {
      options: ['warmup-arrival-pattern'],
      when: warmup?.rate === undefined,
      reason: 'without --warmup-request-rate or --request-rate',
    },
    {
      options: ['warmup-concurrency', 'warmup-request-rate', 'warmup-grace-period'],
      when: warmup === undefined,
      reason: 'without a warm-up; set --warmup-request-count or --warmup-duration',
    },
    {
      options: ['warmup-grace-period'],
      when: warmup !== undefined && warmup.durationS === undefined,
      reason: 'without --warmup-duration',
    },
    {
      options: ['concurrency-ramp-duration'],
      when: profiling.concurrency === 1,
      reason: 'with a concurrency of 1',
    },
    {
      options: ['request-cancellation-delay'],
      when: cancellation?.percent === 0,
      reason: 'with --request-cancellation-rate 0',
    },
    {
      options: ['live'],
      when: isGiven(raw, 'quiet'),
      reason: 'with --quiet',
    },
  ];
}
