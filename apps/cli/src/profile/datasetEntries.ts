import type { InputPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import { type RawOptions, readNumber } from '@org/terminal/program';
import { DEFAULT_ENTRIES } from '../options/input.ts';
import { formatInputSource } from './inputSource.ts';

/** Options that set the number of conversations, in order of precedence, as in AIPerf. */
const SOURCES = ['num-dataset-entries', 'num-sessions', 'request-count'] as const;

/** Returns the option that sets the number of synthetic conversations; undefined if it is the default or unlimited. */
export function findEntriesOption(raw: RawOptions): (typeof SOURCES)[number] | undefined {
  if (raw['input-file'] !== undefined || raw['unique-prompts'] === true) return undefined;
  return SOURCES.find(name => raw[name] !== undefined);
}

/**
 * Reads the number of synthetic conversations, which are used in turn. Returns undefined with --unique-prompts, so that no
 * conversation repeats, and with --input-file. Throws `UsageError` if options contradict each other.
 */
export function readEntries(
  raw: RawOptions,
  sampling: InputPlan['sampling'],
  max: number,
): number | undefined {
  if (raw['unique-prompts'] === true) rejectRepetition(raw, sampling);
  if (raw['input-file'] !== undefined || raw['unique-prompts'] === true) return undefined;
  return readPoolEntries(raw, max) ?? DEFAULT_ENTRIES;
}

/** Reads the number of conversations to draw from a pool; undefined if no option sets it. */
export function readPoolEntries(raw: RawOptions, max: number): number | undefined {
  const source = SOURCES.find(name => raw[name] !== undefined);
  if (source === undefined) return undefined;
  const range = source === 'num-dataset-entries' ? { min: 1, max } : { min: 1 };
  return readNumber(raw, source, { ...range, isInteger: true });
}

/** Throws `UsageError` if an option is set that repeats conversations. */
function rejectRepetition(raw: RawOptions, sampling: InputPlan['sampling']): void {
  const option =
    raw['input-file'] !== undefined
      ? formatInputSource(raw)
      : raw['num-dataset-entries'] !== undefined
        ? '--num-dataset-entries'
        : sampling === 'sequential'
          ? undefined
          : `--dataset-sampling-strategy ${sampling}`;
  if (option !== undefined) throw new UsageError(`cannot use both --unique-prompts and ${option}`);
}
