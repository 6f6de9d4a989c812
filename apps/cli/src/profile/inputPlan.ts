import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeSystemError } from '@org/core';
import {
  type DatasetType,
  isTraceType,
  type LengthPair,
  MAX_TURNS,
  parseLengthMix,
  type Sampling,
  type ValueDistribution,
} from '@org/loadgen';
import { type Dataset, detectDataset, type InputPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  formatOptionValue,
  omitUndefined,
  type RawOptions,
  readNumber,
  readText,
} from '@org/terminal/program';
import { DEFAULT_INPUT_TOKENS } from '../options/input.ts';
import { readEntries, readPoolEntries } from './datasetEntries.ts';
import { MAX_VALUE, readDistribution } from './distributions.ts';
import { formatInputSource, formatInputType } from './inputSource.ts';
import { readMediaPlan, rejectEmptyRequests } from './mediaPlan.ts';
import { readPromptShape } from './promptShape.ts';
import { readPublicRows } from './publicDataset.ts';
import { withRangeErrors } from './rangeErrors.ts';
import { hasRequestRate } from './requestRate.ts';
import { readTraceChanges } from './traceChanges.ts';
import { readTraceReplay } from './traceReplay.ts';

const COUNT_RANGE = { min: 1, max: MAX_VALUE, isInteger: true } as const;

/** Reads the options for prompts and schedules. Throws `UsageError` for invalid or conflicting options. */
export function readInputPlan(raw: RawOptions, cwd: string): InputPlan {
  const file = readText(raw, 'input-file', 'the path of a file or folder');
  const datasetType = raw['custom-dataset-type'] as DatasetType | undefined;
  const dataset = file === undefined ? undefined : findDataset(resolve(cwd, file));
  const sampling = raw['dataset-sampling-strategy'] as Sampling;
  const fixedSchedule = readFixedSchedule(raw, dataset);
  const type = datasetType ?? dataset?.type;
  if (file === undefined) rejectFileOptions({ fixedSchedule, datasetType });
  else rejectSyntheticOptions(raw);
  if (fixedSchedule && sampling !== 'sequential')
    throw new UsageError(
      `cannot use --dataset-sampling-strategy ${sampling} with --fixed-schedule, which sends requests in the order of their timestamps`,
    );
  const plan: InputPlan = {
    ...omitUndefined({
      outputTokens: readDistribution(raw, 'output-tokens'),
      turns: readTurns(raw),
      turnDelayMs: readDistribution(raw, 'conversation-turn-delay', { min: 0 }),
      turnDelayRatio: readNumber(raw, 'conversation-turn-delay-ratio', { min: 0, max: MAX_VALUE }),
      lengths: readLengthMix(raw),
      sharedSystemTokens: readNumber(raw, 'shared-system-prompt-length', COUNT_RANGE),
      userContextTokens: readNumber(raw, 'user-context-prompt-length', COUNT_RANGE),
      systemPrompt: readSystemPrompt(raw, cwd),
      appliesChatTemplate: raw['apply-chat-template'] === true ? true : undefined,
      entries:
        type === 'random_pool' ? readPoolEntries(raw, MAX_VALUE) : readEntries(raw, sampling, MAX_VALUE),
      file: file === undefined ? undefined : resolve(cwd, file),
      datasetType: type,
      stripsImages: readStripsImages(raw, type),
      ...readOffsets(raw, fixedSchedule, type),
      ...readPromptShape(raw, omitUndefined({ file, datasetType: type })),
      ...readTraceChanges(raw, omitUndefined({ file, datasetType: type })),
      ...readTraceReplay(raw, omitUndefined({ datasetType: type })),
      rows: readPublicRows(raw),
    }),
    ...readMediaPlan(raw, cwd, type),
    inputTokens: readInputTokens(raw),
    sampling,
    fixedSchedule,
  };
  rejectEmptyRequests(raw, plan);
  return plan;
}

/** Reads the length of prompts; a mean of 0 generates no text. */
function readInputTokens(raw: RawOptions): ValueDistribution {
  const name = 'synthetic-input-tokens';
  const range = { min: 0, defaultMean: DEFAULT_INPUT_TOKENS };
  const distribution = readDistribution(raw, name, range)!;
  if (distribution.mean > 0 && distribution.mean < 1)
    throw createOptionError(`${name}-mean`, distribution.mean, `0, or a number from 1 to ${MAX_VALUE}`);
  return distribution;
}

/** Returns the properties of the input file; undefined if it cannot be read, which `checkInputFile` reports. */
function findDataset(file: string): Dataset | undefined {
  try {
    return detectDataset(file);
  } catch {
    return undefined;
  }
}

/** Throws `UsageError` if the input file cannot be read. Called before the files of an earlier run are moved. */
export function checkInputFile({ file, datasetType }: Pick<InputPlan, 'file' | 'datasetType'>): void {
  try {
    // The files of a public data set were found when the options were read.
    if (file !== undefined && datasetType !== 'rows') detectDataset(file);
  } catch (error) {
    throw new UsageError(`invalid --input-file ${JSON.stringify(file)}: ${describeSystemError(error)}`);
  }
}

/**
 * Determines whether requests are sent at the timestamps of the file. By default, they are if the file has
 * timestamps, unless other options determine when requests are sent. Throws `UsageError` if options contradict
 * each other.
 */
function readFixedSchedule(raw: RawOptions, dataset: Dataset | undefined): boolean {
  const isDisabled = raw['no-fixed-schedule'] === true || raw['fixed-schedule'] === false;
  if (isDisabled && raw['fixed-schedule'] === true)
    throw new UsageError('cannot use both --fixed-schedule and --no-fixed-schedule');
  if (isDisabled || raw['fixed-schedule'] === true) return !isDisabled;
  const isSequential = raw['dataset-sampling-strategy'] === 'sequential';
  return (dataset?.isScheduled ?? false) && isSequential && !hasRequestRate(raw);
}

/** Throws `UsageError` if an option is set that requires --input-file. */
function rejectFileOptions({
  fixedSchedule,
  datasetType,
}: {
  readonly fixedSchedule: boolean;
  readonly datasetType: DatasetType | undefined;
}): void {
  if (fixedSchedule) throw new UsageError('--fixed-schedule requires an --input-file with timestamps');
  if (datasetType !== undefined) throw new UsageError('--custom-dataset-type requires --input-file');
}

/**
 * Reads the start and end of the schedule to replay, in milliseconds. Throws `UsageError` if an offset is set
 * without a schedule or for a file other than a trace, or if the start is after the end.
 */
function readOffsets(
  raw: RawOptions,
  fixedSchedule: boolean,
  type: DatasetType | undefined,
): { readonly startMs: number | undefined; readonly endMs: number | undefined } {
  const [start, end] = ['fixed-schedule-start-offset', 'fixed-schedule-end-offset'] as const;
  const startMs = readNumber(raw, start, { min: 0, unit: 'milliseconds' });
  const endMs = readNumber(raw, end, { min: 0, unit: 'milliseconds' });
  const option = startMs !== undefined ? start : endMs !== undefined ? end : undefined;
  if (option !== undefined && !fixedSchedule) throw new UsageError(`--${option} requires --fixed-schedule`);
  if (option !== undefined && type !== undefined && !isTraceType(type))
    throw new UsageError(`--${option} requires a trace${formatInputType(raw, type)}`);
  if (startMs !== undefined && endMs !== undefined && startMs > endMs)
    throw createOptionError(end, endMs, `a number of milliseconds, at least ${startMs} (--${start})`);
  return { startMs, endMs };
}

/** Options that apply only to synthetic prompts. */
const SYNTHETIC_ONLY = [
  'synthetic-input-tokens-mean',
  'synthetic-input-tokens-stddev',
  'conversation-turn-mean',
  'conversation-turn-stddev',
  'conversation-turn-delay-mean',
  'conversation-turn-delay-stddev',
  'conversation-turn-delay-ratio',
  'seq-dist',
  'shared-system-prompt-length',
  'user-context-prompt-length',
] as const;

/** Throws `UsageError` if an option is set that applies only to synthetic prompts. */
function rejectSyntheticOptions(raw: RawOptions): void {
  const option = SYNTHETIC_ONLY.find(name => raw[name] !== undefined);
  if (option !== undefined)
    throw new UsageError(
      `cannot use --${option} with ${formatInputSource(raw)}, only with synthetic prompts`,
    );
}

/** Reads --seq-dist, which takes precedence over --isl and --osl, as in AIPerf. Throws `UsageError` if it is invalid. */
function readLengthMix(raw: RawOptions): readonly LengthPair[] | undefined {
  const text = readText(raw, 'seq-dist', 'lengths such as 128,64:40;512,128:60');
  if (text === undefined) return undefined;
  return withRangeErrors(`invalid --seq-dist ${formatOptionValue(text)}: `, () => parseLengthMix(text));
}

/** Reads --system-prompt or --system-prompt-file. Throws `UsageError` if the file is not readable, or if several
 * options set the message. */
function readSystemPrompt(raw: RawOptions, cwd: string): string | undefined {
  const text = readText(raw, 'system-prompt', 'a text');
  const file = readText(raw, 'system-prompt-file', 'the path of a text file');
  if (text !== undefined && file !== undefined)
    throw new UsageError('cannot use both --system-prompt and --system-prompt-file');
  const option = text === undefined ? 'system-prompt-file' : 'system-prompt';
  if ((text ?? file) !== undefined && raw['shared-system-prompt-length'] !== undefined)
    throw new UsageError(`cannot use both --${option} and --shared-system-prompt-length`);
  if (file === undefined) return text;
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(
      `invalid --system-prompt-file ${JSON.stringify(file)}: ${describeSystemError(error)}`,
    );
  }
}

/** Reads the number of turns of a conversation. As in AIPerf, its mean is 1 if only the standard deviation is set. */
function readTurns(raw: RawOptions): ValueDistribution | undefined {
  const defaultMean = raw['conversation-turn-stddev'] === undefined ? {} : { defaultMean: 1 };
  return readDistribution(raw, 'conversation-turn', { max: MAX_TURNS, ...defaultMean });
}

/** Reads --uuid-and-strip. Throws `UsageError` if the API or the file has no ids of images. */
function readStripsImages(raw: RawOptions, type: DatasetType | undefined): boolean | undefined {
  if (raw['uuid-and-strip'] !== true) return undefined;
  const api = raw['endpoint-type'];
  if (api !== 'chat')
    throw new UsageError(`cannot use --uuid-and-strip with --endpoint-type ${String(api)}, only with chat`);
  if (type === 'multi_turn')
    throw new UsageError(
      'cannot use --uuid-and-strip with a file of the type multi_turn, whose requests contain all earlier images; expected single_turn, with several lines of the same "session_id"',
    );
  return true;
}
