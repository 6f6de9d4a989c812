export { checkBooleanFlags } from './booleanFlags.ts';
export { parseByteSize } from './byteSize.ts';
export { toPrintable } from './printable.ts';
export { findSimilarWord } from './suggestion.ts';
export { getTerminalHeight, getTerminalWidth, shouldUseColor } from './terminal.ts';
export { UsageError } from './usageError.ts';
export {
  checkCommandName,
  describeUsageError,
  findUsageLine,
  listOptions,
  USAGE_MESSAGES,
} from './usageMessages.ts';
