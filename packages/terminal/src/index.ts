export { parseByteSize } from './byteSize.ts';
export { toPrintable } from './printable.ts';
export { findSimilarWord } from './program/suggestion.ts';
export { getTerminalHeight, getTerminalWidth, shouldUseColor } from './terminal.ts';
export { UsageError } from './usageError.ts';
