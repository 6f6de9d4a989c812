/** Columns of a trace of BurstGPT: the time in seconds, and numbers of tokens. */
export const COLUMNS = ['Timestamp', 'Request tokens', 'Response tokens'] as const;

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
