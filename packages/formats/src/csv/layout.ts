import { stringify } from 'csv-stringify/sync';
import { formatFloat } from '../json/jsonWriter.ts';
import { escapeCell } from './cell.ts';

/** Options for writing CSV. */
export interface CsvOptions {
  /**
   * Layout of the file. `servelens` (default) has LF line ends, exact numbers and escaped formulas. `aiperf`
   * is identical to AIPerf's files, with CRLF line ends, rounded numbers and unescaped text.
   */
  readonly layout?: 'servelens' | 'aiperf';
}

/** Settings of a CSV layout. */
export interface CsvLayout {
  readonly isAiperf: boolean;
  readonly lineEnd: '\n' | '\r\n';
  /** Formats text for a cell. */
  readonly text: (text: string) => string;
  /** Formats a float for a cell. */
  readonly float: (value: number) => string;
}

/**
 * Returns the settings of a layout.
 *
 * @param decimals number of decimals in the `aiperf` layout
 * @throws TypeError for an unknown layout
 */
export function resolveCsvLayout({ layout = 'servelens' }: CsvOptions, decimals: number): CsvLayout {
  if (layout === 'servelens') return { isAiperf: false, lineEnd: '\n', text: escapeCell, float: formatFloat };
  if (layout !== 'aiperf')
    throw new TypeError(`unknown layout ${JSON.stringify(layout)}; expected "servelens" or "aiperf"`);
  return {
    isAiperf: true,
    lineEnd: '\r\n',
    text: text => text,
    float: value => value.toFixed(decimals),
  };
}

/** Formats rows as CSV. Every row ends with the line end of the layout. */
export function formatCsv(rows: readonly (readonly (string | undefined)[])[], layout: CsvLayout): string {
  // By default, csv-stringify quotes only cells with line breaks that equal the record delimiter.
  return stringify(rows as string[][], { record_delimiter: layout.lineEnd, quoted_match: /[\r\n]/ });
}
