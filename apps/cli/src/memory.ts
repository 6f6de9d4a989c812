import { UsageError } from '@org/terminal';
import { type RawOptions, shownValue, singleValue } from './optionvalue.ts';
import { sizeOf } from './size.ts';

/** What `--memory-limit` is without being given. */
export const DEFAULT_MEMORY_LIMIT = '1GiB';

/** Below this the newest scrapes alone, which are never anywhere else, would be too much. */
const LEAST_BYTES = 1 << 20;

/** The declaration of `--memory-limit` for yargs; it has no type, so that what the user typed can be quoted. */
export const MEMORY_OPTION: {
  readonly default: string;
  readonly describe: string;
  readonly requiresArg: true;
} = {
  default: DEFAULT_MEMORY_LIMIT,
  describe: 'Memory for what was scraped, such as 512MB; beyond it history is on disk',
  requiresArg: true,
};

/** The bytes of `--memory-limit`. Throws `UsageError`. */
export function memoryLimit(raw: RawOptions): number {
  const value = singleValue(raw, 'memory-limit') ?? DEFAULT_MEMORY_LIMIT;
  const bytes = sizeOf(value);
  if (bytes >= LEAST_BYTES && Number.isFinite(bytes)) return bytes;
  throw new UsageError(
    `--memory-limit is ${shownValue(value)}; expected a size such as 512MB or 1GiB, at least 1MiB`,
  );
}
