import {
  type NumberRange,
  type OptionTable,
  option,
  type RawOptions,
  readNumber,
} from '@org/terminal/program';

/** As in AIPerf. */
const INTERVAL_RANGE: NumberRange = { min: 0, max: 1000, unit: 'seconds' };

/** The option for progress messages. */
export const STATS_OPTIONS: OptionTable = {
  'stats-interval': option(
    'SECONDS',
    'Interval of progress messages in seconds, with --ui none; 0 logs no progress',
    { defaultText: '10' },
  ),
};

/** Reads --stats-interval; undefined if it is not set. Throws `UsageError` if the value is invalid. */
export function readStatsInterval(raw: RawOptions): number | undefined {
  return readNumber(raw, 'stats-interval', INTERVAL_RANGE);
}
