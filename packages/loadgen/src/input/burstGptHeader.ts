const TIME_COLUMN = 'Timestamp';
const INPUT_COLUMN = 'Request tokens';
const OUTPUT_COLUMN = 'Response tokens';
/** Columns of a trace of BurstGPT: seconds, and numbers of tokens. */
export const COLUMNS = [TIME_COLUMN, INPUT_COLUMN, OUTPUT_COLUMN] as const;

/** Reports whether the first line of a file is the header of a trace of BurstGPT. */
export function isBurstGptHeader(line: string): boolean {
  const names = splitRow(line);
  return COLUMNS.every(column => names.includes(column));
}

/** Splits a row at commas; the values of BurstGPT contain none. */
export function splitRow(line: string): string[] {
  return line
    .replace(/^\uFEFF/, '')
    .split(',')
    .map(cell => cell.trim().replace(/^"(.*)"$/, '$1'));
}
