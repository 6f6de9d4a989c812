import { parseExtraInputs, type TraceReplay } from '@org/loadgen';
import type { InputPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import { omitUndefined, type RawOptions, readList, readNumber, readSeconds } from '@org/terminal/program';
import { REPLAY_OPTIONS } from '../options/traceReplay.ts';
import { formatInputType } from './inputSource.ts';

/** Options that cannot change recorded prompts, or that contradict the times of a replay. */
const REFUSED_CHANGES = {
  'synthesis-speedup-ratio': 'use --replay-speedup',
  'synthesis-prefix-len-multiplier': 'its prompts are sent as they were recorded',
  'synthesis-prefix-root-multiplier': 'its prompts are sent as they were recorded',
  'synthesis-prompt-len-multiplier': 'its prompts are sent as they were recorded',
} as const;

/**
 * Reads the options for the replay of a \`baseten_trace\`. Throws \`UsageError\` if an option is invalid, contradicts another
 * one, or if the file is not such a trace.
 */
export function readTraceReplay(
  raw: RawOptions,
  { datasetType }: Pick<InputPlan, 'datasetType'>,
): { readonly replay?: TraceReplay } {
  const option = Object.keys(REPLAY_OPTIONS).find(name => raw[name] !== undefined);
  if (option !== undefined && datasetType !== 'baseten_trace')
    throw new UsageError(
      `--${option} requires a baseten_trace (--input-file)${formatInputType(raw, datasetType)}`,
    );
  if (datasetType !== 'baseten_trace') return {};
  rejectChanges(raw);
  const isClosed = isDisabled(raw, 'open-loop-replay');
  if (isClosed && raw['open-loop-strict'] === true)
    throw new UsageError('cannot use both --no-open-loop-replay and --open-loop-strict');
  const replay = omitUndefined({
    sessionShare: readNumber(raw, 'trace-session-sample-ratio', { min: 1e-9, max: 1 }),
    speedup: readNumber(raw, 'replay-speedup', { min: 1e-6, max: 1e6 }),
    maxIdleMs: toMs(readSeconds(raw, 'max-idle-gap-cap-seconds', 1e-6)),
    turns: isClosed
      ? ('closed' as const)
      : raw['open-loop-strict'] === true
        ? ('independent' as const)
        : undefined,
    omitsHints: raw['omit-kv-hints'] === true ? true : undefined,
    forcesLength: isDisabled(raw, 'force-min-tokens') ? false : undefined,
  });
  rejectReplacedFields(raw, replay);
  return Object.keys(replay).length === 0 ? {} : { replay };
}

function rejectChanges(raw: RawOptions): void {
  const change = Object.entries(REFUSED_CHANGES).find(([name]) => raw[name] !== undefined);
  if (change !== undefined)
    throw new UsageError(`cannot use --${change[0]} with a baseten_trace: ${change[1]}`);
}

/** Throws \`UsageError\` if a field of --extra-inputs would be replaced in each request. */
function rejectReplacedFields(
  raw: RawOptions,
  { forcesLength = true, omitsHints = false }: TraceReplay,
): void {
  const replaced = {
    ...(forcesLength ? { min_tokens: '--no-force-min-tokens' } : {}),
    ...(omitsHints ? {} : { hash_ids: '--omit-kv-hints', block_size: '--omit-kv-hints' }),
  };
  const fields = parseExtraInputs(readList(raw, 'extra-inputs'));
  const field = Object.entries(replaced).find(([name]) => Object.hasOwn(fields, name));
  if (field !== undefined)
    throw new UsageError(
      `--extra-inputs ${field[0]} is replaced by the baseten_trace; to send it, add ${field[1]}`,
    );
}

/** Reads a pair of flags such as --open-loop-replay and --no-open-loop-replay. */
function isDisabled(raw: RawOptions, name: string): boolean {
  const isNegated = raw[`no-${name}`] === true || raw[name] === false;
  if (isNegated && raw[name] === true) throw new UsageError(`cannot use both --${name} and --no-${name}`);
  return isNegated;
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
