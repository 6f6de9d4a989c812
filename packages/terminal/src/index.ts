export { checkBooleanFlags } from './booleanFlags.ts';
export { drawMarkdownTable, escapeMarkdown, formatMarkdownCode, type MarkdownColumn } from './markdown.ts';
export { drawSparkline } from './sparkline.ts';
export { findSimilarWord } from './suggestion.ts';
export { drawTable, type TableColumn, type TableLayout } from './table.ts';
export { getTerminalHeight, getTerminalWidth, shouldUseColor } from './terminal.ts';
export {
  countColumns,
  padEnd,
  padStart,
  toPrintable,
  truncateEnd,
  truncateMiddle,
  wrapText,
} from './text.ts';
export { UsageError } from './usageError.ts';
export { describeUsageError, listOptions, USAGE_MESSAGES } from './usageMessages.ts';
