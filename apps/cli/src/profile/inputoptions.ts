import { resolve } from 'node:path';
import type { Sampling, Spread } from '@org/loadgen';
import type { DatasetType, InputPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import { type RawOptions, singleValue, textValue } from '../optionvalue.ts';
import { numberValue } from './numbervalue.ts';

export const SAMPLINGS: readonly Sampling[] = ['sequential', 'shuffle', 'random'];

const INPUT_TOKENS = 550;

/** Reads the options that say what is asked. Throws `UsageError`. */
export function readInputOptions(raw: RawOptions, cwd: string): InputPlan {
  const file = textValue(raw, 'input-file', 'the path of a JSONL file');
  const fixedSchedule = raw['fixed-schedule'] === true;
  if (fixedSchedule && file === undefined)
    throw new UsageError('--fixed-schedule needs --input-file with timestamps');
  const datasetType = singleValue(raw, 'custom-dataset-type') as DatasetType | undefined;
  if (datasetType !== undefined && file === undefined)
    throw new UsageError(`--custom-dataset-type is ${datasetType}, but there is no --input-file`);
  const sampling = singleValue(raw, 'dataset-sampling-strategy') as Sampling;
  if (file !== undefined) checkFileOnly(raw);
  else if (sampling !== 'sequential')
    throw new UsageError(`--dataset-sampling-strategy is ${sampling}, but there is no --input-file`);
  if (fixedSchedule && sampling !== 'sequential')
    throw new UsageError(
      `--dataset-sampling-strategy is ${sampling}, but --fixed-schedule takes a file in the order of its timestamps`,
    );
  const whole = { least: 1, most: MOST, whole: true } as const;
  const outputTokens = spread(raw, 'output-tokens');
  const turns = spread(raw, 'conversation-turn');
  const turnDelayMs = spread(raw, 'conversation-turn-delay', 0);
  return {
    inputTokens: spread(raw, 'synthetic-input-tokens', 1, INPUT_TOKENS)!,
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(turns === undefined ? {} : { turns }),
    ...(turnDelayMs === undefined ? {} : { turnDelayMs }),
    ...optional('sharedSystemTokens', numberValue(raw, 'shared-system-prompt-length', whole)),
    ...optional('entries', numberValue(raw, 'num-dataset-entries', whole)),
    ...(file === undefined ? {} : { file: resolve(cwd, file) }),
    ...(datasetType === undefined ? {} : { datasetType }),
    sampling,
    fixedSchedule,
    ...offsets(raw, fixedSchedule),
  };
}

/** The part of a schedule that is played. */
function offsets(raw: RawOptions, fixedSchedule: boolean): Pick<InputPlan, 'startMs' | 'endMs'> {
  const [start, end] = ['fixed-schedule-start-offset', 'fixed-schedule-end-offset'] as const;
  const startMs = numberValue(raw, start, { least: 0, unit: 'ms' });
  const endMs = numberValue(raw, end, { least: 0, unit: 'ms' });
  const lost = startMs === undefined ? (endMs === undefined ? undefined : end) : start;
  if (lost !== undefined && !fixedSchedule) throw new UsageError(`--${lost} needs --fixed-schedule`);
  if (startMs !== undefined && endMs !== undefined && startMs > endMs)
    throw new UsageError(`--${end} is ${endMs}; expected a number of ms from ${startMs}, the --${start}`);
  return { ...optional('startMs', startMs), ...optional('endMs', endMs) };
}

/** What is said of synthetic prompts must not be without effect. */
function checkFileOnly(raw: RawOptions): void {
  const lost = SYNTHETIC_ONLY.find(name => raw[name] !== undefined);
  if (lost === undefined) return;
  const instead = lost.startsWith('output')
    ? 'a line says output_length; for all of them: --extra-inputs max_tokens:N'
    : 'the file says what is asked';
  throw new UsageError(`--${lost} is for synthetic prompts, and there is --input-file; ${instead}`);
}

const SYNTHETIC_ONLY = [
  'synthetic-input-tokens-mean',
  'synthetic-input-tokens-stddev',
  'output-tokens-mean',
  'output-tokens-stddev',
  'conversation-turn-mean',
  'conversation-turn-stddev',
  'conversation-turn-delay-mean',
  'conversation-turn-delay-stddev',
  'shared-system-prompt-length',
  'num-dataset-entries',
] as const;

/** Tokens of one text, and turns, and ms: more would fill the memory of client and server. */
const MOST = 1e7;

function spread(raw: RawOptions, name: string, least = 1, standard?: number): Spread | undefined {
  const mean = numberValue(raw, `${name}-mean`, { least, most: MOST });
  const stddev = numberValue(raw, `${name}-stddev`, { least: 0, most: MOST });
  const isLost = mean === undefined && standard === undefined && stddev !== undefined && stddev > 0;
  if (isLost) throw new UsageError(`--${name}-stddev is ${stddev}, but there is no --${name}-mean`);
  const about = mean ?? standard;
  return about === undefined ? undefined : { mean: about, stddev: stddev ?? 0 };
}

function optional<K extends string>(key: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, number>);
}
