import { TargetError } from '@org/scrape';
import { UsageError } from '@org/terminal';
import { SettingError } from './accessBuilder.ts';

/** Returns the name of the option that sets a key of the settings, for messages. */
export type OptionNaming = (key: readonly string[]) => string;

/**
 * Runs `work`, and converts its errors to `UsageError`. The file is already validated, so an invalid setting
 * is an option.
 */
export function withUsageErrors<T>(nameOption: OptionNaming, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TargetError) throw new UsageError(error.message);
    if (error instanceof SettingError) throw new UsageError(error.formatMessage(nameOption(error.key)));
    throw error;
  }
}
