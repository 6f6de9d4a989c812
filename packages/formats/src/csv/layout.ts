import { stringify } from 'csv-stringify/sync';
import { formatFloat } from '../json/formatFloat.ts';
import { escapeCell } from './cell.ts';

/** How a CSV is written. */
export interface CsvOptions {
  /**
   * `servelens` (when absent): LF, all digits, texts made harmless for spreadsheets. `aiperf`: as AIPerf writes it, with
   * CRLF, rounded figures and texts as they are.
   */
  readonly layout?: 'servelens' | 'aiperf';
}

/** What differs between the two ways to write a CSV. */
export interface CsvLayout {
  readonly isAiperf: boolean;
  readonly lineEnd: '\n' | '\r\n';
  /** A text as it stands in a cell. */
  readonly text: (text: string) => string;
  /** A float as it stands in a cell. */
  readonly float: (value: number) => string;
}

/** The layout of the options. `decimals` are those of AIPerf's file. */
export function resolveCsvLayout({ layout = 'servelens' }: CsvOptions, decimals: number): CsvLayout {
  if (layout === 'servelens') return { isAiperf: false, lineEnd: '\n', text: escapeCell, float: formatFloat };
  if (layout !== 'aiperf')
    throw new TypeError(`layout is ${JSON.stringify(layout)}; expected servelens or aiperf`);
  return {
    isAiperf: true,
    lineEnd: '\r\n',
    text: text => text,
    float: value => value.toFixed(decimals),
  };
}

/** Rows as CSV text, each with its line end. */
export function formatCsv(rows: readonly (readonly (string | undefined)[])[], layout: CsvLayout): string {
  // By itself the library quotes a line break only when it is the one that ends its rows.
  return stringify(rows as string[][], { record_delimiter: layout.lineEnd, quoted_match: /[\r\n]/ });
}
