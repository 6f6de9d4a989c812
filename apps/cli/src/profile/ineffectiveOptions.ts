import { ENDPOINTS, isTraceType } from '@org/loadgen';
import type { ProfilePlan } from '@org/run';
import type { RawOptions } from '@org/terminal/program';
import { hasAuthorizationHeader } from '../options/connection.ts';
import {
  type IneffectiveOptions,
  listIneffectiveDisplayOptions,
  listIneffectiveScrapeOptions,
  listIneffectiveTlsOptions,
  rejectIneffective,
} from '../options/ineffective.ts';
import { listIneffectiveShapeOptions } from './promptShape.ts';

/** Throws `UsageError` if an option of `servelens profile` is set that has no effect in this combination. */
export function rejectIneffectiveOptions(raw: RawOptions, plan: ProfilePlan): void {
  rejectIneffective(raw, [
    ...listRequestRules(plan),
    ...listInputRules(plan),
    ...listIneffectiveShapeOptions(raw, plan.inputs),
    ...listLoadRules(plan),
    ...listIneffectiveDisplayOptions(raw),
    ...listIneffectiveScrapeOptions(raw, plan.exports?.formats ?? [], plan.targets ?? []),
    ...listIneffectiveTlsOptions(raw, [...plan.request.urls, ...(plan.targets ?? []).map(({ url }) => url)]),
  ]);
}

function listRequestRules({ request, inputs }: ProfilePlan): IneffectiveOptions[] {
  const { endpoint, headers } = request;
  const replacedLimit = findReplacedLimit(request, inputs);
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
      reason: `with --endpoint-type ${endpoint}, which has one name for the output length`,
    },
    {
      options: ['use-legacy-max-tokens'],
      when: !hasLimit,
      reason: 'without a requested output length; set --osl',
    },
    {
      options: ['api-key'],
      when: hasAuthorizationHeader(headers),
      reason: 'with an Authorization header (--header)',
    },
    {
      options: ['output-tokens-mean', 'output-tokens-stddev'],
      when: replacedLimit !== undefined,
      reason: `with --extra-inputs ${replacedLimit}`,
    },
  ];
}

/** Returns the field of --extra-inputs that replaces the requested output length by another one. */
function findReplacedLimit(
  { endpoint, extraInputs, legacyMaxTokens }: ProfilePlan['request'],
  { outputTokens }: ProfilePlan['inputs'],
): string | undefined {
  const [newField, oldField = newField] = ENDPOINTS[endpoint].limitFields;
  const field = legacyMaxTokens ? oldField : newField;
  if (outputTokens === undefined || field === undefined || !Object.hasOwn(extraInputs, field))
    return undefined;
  const isEqual = extraInputs[field] === outputTokens.mean && !outputTokens.stddev;
  return isEqual ? undefined : `${field}:${JSON.stringify(extraInputs[field])}`;
}

function listInputRules({ inputs, profiling, tokenCount }: ProfilePlan): IneffectiveOptions[] {
  const { turns, turnDelayMs, file, datasetType } = inputs;
  return [
    {
      options: ['conversation-turn-delay-mean', 'conversation-turn-delay-stddev'],
      when: file === undefined && (turns === undefined || (turns.mean === 1 && !turns.stddev)),
      reason: 'for conversations of a single turn; set --conversation-turn-mean',
    },
    {
      options: ['conversation-turn-delay-ratio'],
      when: file === undefined && !turnDelayMs?.mean && !turnDelayMs?.stddev,
      reason: 'without --conversation-turn-delay-mean',
    },
    {
      options: [
        'conversation-turn-delay-mean',
        'conversation-turn-delay-stddev',
        'conversation-turn-delay-ratio',
      ],
      when: profiling.users !== undefined,
      reason: 'with --user-centric-rate, which sets the time between turns',
    },
    {
      options: ['tokenizer'],
      // The prompts of a trace are generated, so their length depends on the tokenizer.
      when: tokenCount === 'server' && datasetType !== undefined && !isTraceType(datasetType),
      reason: 'with the token counts of the server and the prompts of a file',
    },
  ];
}

function listLoadRules({ profiling, warmup, cancellation }: ProfilePlan): IneffectiveOptions[] {
  return [
    {
      options: ['arrival-pattern'],
      when: profiling.rate === undefined || profiling.users !== undefined,
      reason: 'without --request-rate',
    },
    {
      options: ['request-rate-ramp-duration'],
      when: profiling.users !== undefined,
      reason: 'with --user-centric-rate, which is constant',
    },
    {
      options: ['prefill-concurrency-ramp-duration'],
      when: (profiling.prefillConcurrency ?? 1) === 1,
      reason: 'without --prefill-concurrency of at least 2',
    },
    {
      options: ['warmup-concurrency-ramp-duration'],
      when: (warmup?.concurrency ?? 1) === 1,
      reason: 'without --warmup-concurrency of at least 2',
    },
    {
      options: ['warmup-prefill-concurrency-ramp-duration'],
      when: (warmup?.prefillConcurrency ?? 1) === 1,
      reason: 'without --warmup-prefill-concurrency of at least 2',
    },
    {
      options: ['warmup-arrival-pattern'],
      when: warmup?.rate === undefined,
      reason: 'without --warmup-request-rate or --request-rate',
    },
    {
      options: [
        'warmup-concurrency',
        'warmup-prefill-concurrency',
        'warmup-request-rate',
        'warmup-request-rate-ramp-duration',
        'warmup-grace-period',
      ],
      when: warmup === undefined,
      reason: 'without a warm-up; set --warmup-request-count, --num-warmup-sessions or --warmup-duration',
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
  ];
}
