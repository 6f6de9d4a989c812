import {
  type CacheBustTarget,
  type Corpus,
  hasText,
  isTraceType,
  parseRangeRatio,
  type RangeStyle,
} from '@org/loadgen';
import type { InputPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import {
  formatOptionValue,
  omitUndefined,
  type RawOptions,
  readNumber,
  readText,
} from '@org/terminal/program';
import type { IneffectiveOptions } from '../options/ineffective.ts';
import { formatInputSource } from './inputSource.ts';
import { withRangeErrors } from './rangeErrors.ts';

/** Maximum number of tokens, and of prefixes. */
const MAX_VALUE = 1e7;

type PromptShape = Pick<InputPlan, 'range' | 'prefixes' | 'corpus' | 'blockTokens' | 'cacheBust'>;

/** Reads the options for the text of prompts. Throws `UsageError` for invalid or conflicting options. */
export function readPromptShape(
  raw: RawOptions,
  { file, datasetType }: Pick<InputPlan, 'file' | 'datasetType'>,
): PromptShape {
  if (file !== undefined) rejectSyntheticShape(raw);
  const blockTokens = readNumber(raw, 'isl-block-size', { min: 1, max: MAX_VALUE, isInteger: true });
  return omitUndefined({
    range: readRange(raw),
    prefixes: readPrefixes(raw),
    corpus: raw['prompt-corpus'] as Corpus | undefined,
    blockTokens,
    cacheBust: readCacheBust(raw, datasetType),
  });
}

/** Options that apply only to synthetic prompts. */
const SYNTHETIC_ONLY = ['prompt-prefix-pool-size', 'prompt-prefix-length', 'random-range-ratio'] as const;

function rejectSyntheticShape(raw: RawOptions): void {
  const option = SYNTHETIC_ONLY.find(name => raw[name] !== undefined);
  if (option !== undefined)
    throw new UsageError(
      `cannot use --${option} with ${formatInputSource(raw)}, only with synthetic prompts`,
    );
}

/** Options that exclude --random-range-ratio, because they also determine the lengths. */
const OTHER_LENGTHS = ['seq-dist', 'synthetic-input-tokens-stddev', 'output-tokens-stddev'] as const;

/** Reads --random-range-ratio and --random-corpus-style, which require --isl and --osl, as in AIPerf. */
function readRange(raw: RawOptions): InputPlan['range'] {
  const ratio = readText(raw, 'random-range-ratio', 'a number such as 0.3');
  const style = (raw['random-corpus-style'] as RangeStyle | undefined) ?? 'vllm';
  if (ratio === undefined) return undefined;
  const other = OTHER_LENGTHS.find(name => raw[name] !== undefined);
  if (other !== undefined) throw new UsageError(`cannot use both --random-range-ratio and --${other}`);
  const range = { min: 1, max: MAX_VALUE, isInteger: true } as const;
  const input = readNumber(raw, 'synthetic-input-tokens-mean', range);
  const output = readNumber(raw, 'output-tokens-mean', range);
  if (input === undefined || output === undefined)
    throw new UsageError('--random-range-ratio requires --isl and --osl');
  return withRangeErrors(`invalid --random-range-ratio ${formatOptionValue(ratio)}: `, () => ({
    ...parseRangeRatio(ratio, { input, output }, style),
    ratio,
    style,
  }));
}

/** Options that exclude prefixes, as in AIPerf. */
const OTHER_PREFIXES = ['shared-system-prompt-length', 'user-context-prompt-length'] as const;

/** Reads the pool of prefixes; undefined if its size or the length of its prefixes is 0. */
function readPrefixes(raw: RawOptions): InputPlan['prefixes'] {
  const range = { min: 0, max: MAX_VALUE, isInteger: true } as const;
  const size = readNumber(raw, 'prompt-prefix-pool-size', range);
  const tokens = readNumber(raw, 'prompt-prefix-length', range);
  const option = size === undefined ? 'prompt-prefix-length' : 'prompt-prefix-pool-size';
  const other = OTHER_PREFIXES.find(name => raw[name] !== undefined);
  if ((size ?? tokens) !== undefined && other !== undefined)
    throw new UsageError(`cannot use both --${option} and --${other}`);
  return size && tokens ? { size, tokens } : undefined;
}

/** Reads --cache-bust. Throws `UsageError` if requests are sent as recorded, or if a marker has no place. */
function readCacheBust(raw: RawOptions, datasetType: InputPlan['datasetType']): CacheBustTarget | undefined {
  const target = raw['cache-bust'] as CacheBustTarget | undefined;
  if (target === undefined || target === 'none') return undefined;
  if (
    datasetType === 'raw_payload' ||
    datasetType === 'inputs_json' ||
    datasetType === 'sagemaker_data_capture'
  )
    throw new UsageError(
      `cannot use --cache-bust with a file of the type ${datasetType}, whose requests are sent as recorded`,
    );
  const hasSystemPrompt = ['shared-system-prompt-length', 'system-prompt', 'system-prompt-file'].some(
    name => raw[name] !== undefined,
  );
  if (target === 'warmup_isolation_system' && !hasSystemPrompt)
    throw new UsageError(
      '--cache-bust warmup_isolation_system requires --shared-system-prompt-length or --system-prompt; without them, use warmup_isolation_first_turn',
    );
  return target;
}

/** Lists options for the text of prompts that have no effect in this combination. */
export function listIneffectiveShapeOptions(raw: RawOptions, inputs: InputPlan): IneffectiveOptions[] {
  const { file, datasetType, prefixes, range, rankings } = inputs;
  const isPayload = datasetType === 'raw_payload' || datasetType === 'inputs_json';
  return [
    {
      options: ['prompt-prefix-length'],
      when: prefixes === undefined && Number(raw['prompt-prefix-length']) > 0,
      reason: 'without --prompt-prefix-pool-size',
    },
    {
      options: ['prompt-prefix-pool-size'],
      when: prefixes === undefined && Number(raw['prompt-prefix-pool-size']) > 0,
      reason: 'without --prompt-prefix-length',
    },
    {
      options: [
        ...['synthetic-input-tokens-mean', 'synthetic-input-tokens-stddev', 'prompt-batch-size'].filter(
          name => Number(raw[name]) !== 0,
        ),
        ...['prompt-prefix-pool-size', 'prompt-prefix-length', 'prompt-corpus'],
      ],
      when: file === undefined && rankings === undefined && !hasText(inputs),
      reason: 'for requests without text',
    },
    {
      options: ['random-corpus-style'],
      when: range === undefined,
      reason: 'without --random-range-ratio',
    },
    {
      options: ['isl-block-size'],
      when: file === undefined || !isTraceType(datasetType),
      reason: 'without a trace, because only traces have hash ids',
    },
    {
      options: ['isl-block-size'],
      when: datasetType === 'baseten_trace',
      reason: 'with a baseten_trace, whose prompts are recorded',
    },
    {
      options: ['prompt-corpus'],
      when: file !== undefined && (!isTraceType(datasetType) || datasetType === 'baseten_trace'),
      reason: 'with the prompts of a file',
    },
    {
      options: ['extra-inputs', 'system-prompt', 'system-prompt-file'],
      when: isPayload,
      reason: `with a file of the type ${datasetType}, whose request bodies are sent unchanged`,
    },
  ];
}
