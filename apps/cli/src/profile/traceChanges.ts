import { isTraceType, type TraceSynthesis } from '@org/loadgen';
import type { InputPlan } from '@org/run';
import { omitUndefined, type RawOptions, readNumber, readSeconds } from '@org/terminal/program';
import type { IneffectiveOptions } from '../options/ineffective.ts';
import { formatInputType } from './inputSource.ts';

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

/** Options that have no effect without a file or a trace. */
export const TRACE_CHANGES: readonly string[] = ['inter-turn-delay-cap-seconds', ...SYNTHESIS_OPTIONS];

/** Lists the options that change a trace, and have no effect without it. */
export function listTraceChangeRules(
  raw: RawOptions,
  { file, datasetType }: InputPlan,
): IneffectiveOptions[] {
  return [
    { options: ['inter-turn-delay-cap-seconds'], when: file === undefined, reason: 'without --input-file' },
    {
      options: SYNTHESIS_OPTIONS,
      when: file === undefined || !isTraceType(datasetType),
      reason: `without a trace${formatInputType(raw, datasetType)}`,
    },
  ];
}

/** Reads the options that change a trace. Without a trace, they have no effect. Throws `UsageError` if an option is invalid. */
export function readTraceChanges(
  raw: RawOptions,
  { file, datasetType }: Pick<InputPlan, 'file' | 'datasetType'>,
): Pick<InputPlan, 'synthesis' | 'delayCapSeconds'> {
  const delayCapSeconds = readSeconds(raw, 'inter-turn-delay-cap-seconds', 0);
  const synthesis = readSynthesis(raw);
  if (file === undefined) return {};
  const isSynthesized = isTraceType(datasetType) && Object.keys(synthesis).length > 0;
  return omitUndefined({ delayCapSeconds, synthesis: isSynthesized ? synthesis : undefined });
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
