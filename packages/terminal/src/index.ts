export { parseByteSize } from './program/optionValues.ts';
export { findSimilarWord, UsageError } from './program/usageError.ts';
export { getTerminalHeight, getTerminalWidth, shouldUseColor, toPrintable } from './terminal.ts';
