import { isTraceType, type TraceSynthesis } from '@org/loadgen';
import type { InputPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import { omitUndefined, type RawOptions, readNumber, readSeconds } from '@org/terminal/program';

/** Maximum of factors, and of lengths in tokens. */
const MAX_VALUE = 1e7;

/** Options that change a trace. */
const SYNTHESIS_OPTIONS = [
  'synthesis-speedup-ratio',
  'synthesis-prefix-len-multiplier',
  'synthesis-prefix-root-multiplier',
  'synthesis-prompt-len-multiplier',
  'synthesis-output-len-multiplier',
  'synthesis-max-isl',
  'synthesis-max-osl',
] as const;

/** Reads the options that change a trace. Throws `UsageError` if an option is invalid, or if there is no trace. */
export function readTraceChanges(
  raw: RawOptions,
  { file, datasetType }: Pick<InputPlan, 'file' | 'datasetType'>,
): Pick<InputPlan, 'synthesis' | 'delayCapSeconds'> {
  const delayCapSeconds = readSeconds(raw, 'inter-turn-delay-cap-seconds', 0);
  if (delayCapSeconds !== undefined && file === undefined)
    throw new UsageError('--inter-turn-delay-cap-seconds requires --input-file');
  const option = SYNTHESIS_OPTIONS.find(name => raw[name] !== undefined);
  if (option === undefined) return omitUndefined({ delayCapSeconds });
  if (file === undefined || !isTraceType(datasetType))
    throw new UsageError(
      `--${option} requires a trace${file === undefined ? ' (--input-file)' : `; the type of --input-file is ${datasetType}`}`,
    );
  return omitUndefined({ delayCapSeconds, synthesis: readSynthesis(raw) });
}

function readSynthesis(raw: RawOptions): TraceSynthesis {
  const readFactor = (name: string, min: number): number | undefined =>
    readNumber(raw, `synthesis-${name}`, { min, max: MAX_VALUE });
  const readInteger = (name: string): number | undefined =>
    readNumber(raw, `synthesis-${name}`, { min: 1, max: MAX_VALUE, isInteger: true });
  return omitUndefined({
    speedup: readFactor('speedup-ratio', 1e-6),
    prefixFactor: readFactor('prefix-len-multiplier', 0),
    prefixCopies: readInteger('prefix-root-multiplier'),
    promptFactor: readFactor('prompt-len-multiplier', 0),
    outputFactor: readFactor('output-len-multiplier', 0),
    maxInput: readInteger('max-isl'),
    maxOutput: readInteger('max-osl'),
  });
}
