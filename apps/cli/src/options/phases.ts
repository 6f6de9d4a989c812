import { type OptionTable, option, type RawOptions, readSeconds } from '@org/terminal/program';

/** The value of --settle if SECONDS is omitted. */
const DEFAULT_SETTLE_SECONDS = 10;

/** Options for the phases of a run. */
export const PHASE_OPTIONS: OptionTable = {
  duration: option('SECONDS', 'Duration of profiling in seconds, after the warm-up', {
    defaultText: 'until COMMAND ends or Ctrl-C is pressed',
  }),
  'warmup-duration': option('SECONDS', 'Duration of the warm-up in seconds; statistics exclude the warm-up', {
    defaultText: '0',
  }),
  settle: option(
    '[SECONDS]',
    `Before and after profiling, wait up to SECONDS (${DEFAULT_SETTLE_SECONDS} if omitted) for server counters to stop changing`,
    { isValueOptional: true },
  ),
};

/** Reads --settle, in seconds. Throws `UsageError` if the value is invalid. */
export function readSettleSeconds(raw: RawOptions): number | undefined {
  if (raw.settle === true || raw.settle === '') return DEFAULT_SETTLE_SECONDS;
  return readSeconds(raw, 'settle', 0.001);
}
