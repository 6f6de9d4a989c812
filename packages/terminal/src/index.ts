/** Terminal size and colors, and errors of the command line. */

export { parseByteSize } from './program/optionValues.ts';
export { findSimilarWord, UsageError } from './program/usageError.ts';
export { getTerminalHeight, getTerminalWidth, shouldUseColor, toPrintable } from './terminal.ts';
