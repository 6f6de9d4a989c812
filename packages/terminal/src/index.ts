export { checkBooleanFlags } from './booleanFlags.ts';
export { type MarkdownColumn, markdownCode, markdownTable, markdownText } from './markdown.ts';
export { trendLine } from './sparkline.ts';
export { suggestion } from './suggestion.ts';
export { drawTable, type TableColumn, type TableLayout } from './table.ts';
export { heightOf, wantsColor, widthOf } from './terminal.ts';
export { columnsOf, cutEnd, cutMiddle, padEnd, padStart, printable, wrapped } from './text.ts';
export { UsageError } from './usageError.ts';
