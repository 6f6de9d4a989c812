import { ENDPOINTS } from '@org/loadgen';
import type { ProfilePlan, RepeatPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import type { RawOptions } from '@org/terminal/program';
import { hasAuthorizationHeader } from '../options/connection.ts';
import {
  findIneffective,
  type IneffectiveOption,
  type IneffectiveOptions,
  listIneffectiveDisplayOptions,
  listIneffectiveScrapeOptions,
  listIneffectiveTlsOptions,
} from '../options/ineffective.ts';
import { MEDIA_OPTIONS } from '../options/media.ts';
import { listInputRules } from './ineffectiveInputOptions.ts';
import { listMediaRules } from './ineffectiveMediaOptions.ts';
import { listOverSaturationRules } from './overSaturation.ts';
import { listIneffectiveShapeOptions } from './promptShape.ts';
import { listRecipeRules } from './search/ineffectiveRecipeOptions.ts';
import { listTraceChangeRules, TRACE_CHANGES } from './traceChanges.ts';
import { listVariantOptions } from './variants.ts';

/**
 * Options of AIPerf. Its command lines set them also where they have no effect, so they are named in a note there. All
 * other options are refused where they have no effect.
 */
export const NOTED_OPTIONS: ReadonlySet<string> = new Set([
  ...['streaming', 'output-tokens-mean', 'output-tokens-stddev', 'shared-system-prompt-length'],
  ...['use-legacy-max-tokens', 'api-key', 'model-selection-strategy', 'tokenizer'],
  ...['tokenizer-revision', 'apply-chat-template', 'uuid-and-strip'],
  ...['conversation-turn-delay-mean', 'conversation-turn-delay-stddev', 'conversation-turn-delay-ratio'],
  ...[
    'num-dataset-entries',
    'hf-subset',
    'no-fixed-schedule',
    'arrival-pattern',
    'concurrency-ramp-duration',
  ],
  ...['warmup-arrival-pattern', 'warmup-concurrency', 'warmup-request-rate', 'warmup-grace-period'],
  ...['warmup-prefill-concurrency', 'warmup-concurrency-ramp-duration'],
  ...['warmup-prefill-concurrency-ramp-duration', 'warmup-request-rate-ramp-duration'],
  ...['request-cancellation-delay', 'server-metrics-formats', 'show-trace-timing'],
  ...['synthetic-input-tokens-mean', 'synthetic-input-tokens-stddev'],
  ...['prompt-prefix-pool-size', 'prompt-prefix-length', 'isl-block-size', 'prompt-corpus'],
  ...['random-corpus-style', 'extra-inputs', 'system-prompt', 'system-prompt-file'],
  'profile-run-disable-warmup-after-first',
  ...['confidence-level', 'vary-seed-per-trial', 'parameter-sweep-mode', 'parameter-sweep-same-seed'],
  ...['convergence-metric', 'convergence-stat', 'convergence-mode', 'convergence-threshold'],
  ...['parameter-sweep-cooldown-seconds', 'sweep-type'],
  ...['prefill-concurrency-ramp-duration', 'plot-required'],
  ...Object.keys(MEDIA_OPTIONS),
  ...TRACE_CHANGES,
]);

/**
 * Throws `UsageError` if an option of `servelens profile` is set that has no effect in this combination, unless it is
 * one of `NOTED_OPTIONS`.
 */
export function rejectIneffectiveOptions(raw: RawOptions, plan: ProfilePlan): void {
  const refused = findIneffective(raw, listRules(raw, plan)).find(({ option }) => !NOTED_OPTIONS.has(option));
  if (refused !== undefined) throw new UsageError(refused.message);
}

/**
 * Describes the options of AIPerf that are set and have no effect, one message each. In a sweep, these are the options
 * without effect in all variations.
 *
 * @param plans the plans of all variations
 * @param runs the plan of repeated runs or a sweep; undefined for a single run
 */
export function describeIneffectiveOptions(
  raw: RawOptions,
  plans: readonly ProfilePlan[],
  runs?: Pick<RepeatPlan, 'isSweep' | 'parameters' | 'repetition'>,
): string[] {
  const [first = [], ...others] = plans.map(plan =>
    findIneffective(raw, [
      ...listRules(raw, plan),
      ...listRepetitionRules(runs),
      ...listRecipeRules(raw),
      {
        options: listVariantOptions(raw),
        when: true,
        reason: 'with --variant, which sets it in every variant',
      },
    ]),
  );
  const isIneffective = ({ option }: IneffectiveOption): boolean =>
    others.every(found => found.some(other => other.option === option));
  return first.filter(isIneffective).map(({ message }) => message);
}

function listRules(raw: RawOptions, plan: ProfilePlan): IneffectiveOptions[] {
  const { exports, request, targets = [], sources = [] } = plan;
  return [
    ...listRequestRules(plan),
    ...listInputRules(raw, plan),
    ...listMediaRules(raw, plan.inputs),
    ...listTraceChangeRules(raw, plan.inputs),
    ...listIneffectiveShapeOptions(raw, plan.inputs),
    ...listLoadRules(plan),
    ...listOverSaturationRules(plan),
    { options: ['api-key'], when: raw['api-key'] === '', reason: 'because it is empty' },
    { options: ['plot-required'], when: raw['auto-plot'] !== true, reason: 'without --auto-plot' },
    ...listIneffectiveDisplayOptions(raw),
    ...listIneffectiveScrapeOptions(raw, exports?.formats ?? [], targets, sources),
    ...listIneffectiveTlsOptions(raw, [...request.urls, ...targets.map(({ url }) => url)], sources),
  ];
}

function listRepetitionRules(
  runs: Pick<RepeatPlan, 'isSweep' | 'parameters' | 'repetition'> | undefined,
): IneffectiveOptions[] {
  const isSweep = runs?.isSweep ?? false;
  const isRepeated = (runs?.repetition.runs ?? 1) > 1;
  return [
    {
      options: ['show-trace-timing'],
      when: isRepeated || isSweep,
      reason: 'with several runs; the exports of each run contain its HTTP timings',
    },
    {
      options: [
        ...['confidence-level', 'vary-seed-per-trial', 'profile-run-disable-warmup-after-first'],
        'convergence-metric',
      ],
      when: !isRepeated,
      reason: 'without --num-profile-runs of at least 2',
    },
    {
      options: ['convergence-stat', 'convergence-mode', 'convergence-threshold'],
      when: !isRepeated || runs?.repetition.convergence === undefined,
      reason: 'without --convergence-metric and --num-profile-runs of at least 2',
    },
    {
      options: ['convergence-stat'],
      when: runs?.repetition.convergence?.mode === 'distribution',
      reason: 'with --convergence-mode distribution, which compares requests',
    },
    {
      options: ['sweep-type'],
      when: (runs?.parameters.length ?? 0) < 2,
      reason: 'without several lists to sweep, such as --concurrency 1,4 --isl 100,400',
    },
    {
      options: ['parameter-sweep-mode', 'parameter-sweep-same-seed', 'parameter-sweep-cooldown-seconds'],
      when: !isSweep,
      reason: 'without a list to sweep, such as --concurrency 1,2,4',
    },
  ];
}

function listRequestRules({ request, inputs }: ProfilePlan): IneffectiveOptions[] {
  const { endpoint, headers, models } = request;
  const api = ENDPOINTS[endpoint];
  const replacedLimit = findReplacedLimit(request, inputs);
  const hasLimit = inputs.outputTokens !== undefined || inputs.file !== undefined;
  return [
    {
      options: ['model-selection-strategy'],
      when: models.length === 1,
      reason: 'with a single model; name several, such as --model a,b',
    },
    {
      options: ['streaming'],
      when: !api.canStream,
      reason: `with --endpoint-type ${endpoint}`,
    },
    {
      options: ['output-tokens-mean', 'output-tokens-stddev'],
      when: !api.generatesText,
      reason: `with --endpoint-type ${endpoint}`,
    },
    {
      options: ['shared-system-prompt-length'],
      when: !api.sendsHistory && endpoint !== 'template',
      reason: `with --endpoint-type ${endpoint}`,
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
      when: profiling.concurrency === undefined,
      reason: 'without --concurrency',
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
