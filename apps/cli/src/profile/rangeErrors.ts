import { UsageError } from '@org/terminal';

/** Runs `parse`, and converts a `RangeError` to a `UsageError` whose message starts with `prefix`. */
export function withRangeErrors<T>(prefix: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`${prefix}${error.message}`);
  }
}
