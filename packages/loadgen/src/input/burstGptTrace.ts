import { COLUMNS, splitRow } from './burstGptHeader.ts';
import { readLines } from './fileLines.ts';
import { InputError } from './inputError.ts';
import { MAX_TEXT_TOKENS } from './textGenerator.ts';
import type { TraceEntry } from './traceEntry.ts';

/**
 * Reads a trace in the format of BurstGPT: CSV with the columns `Timestamp` (seconds), `Request tokens` and `Response
 * tokens`. Each row is a conversation of one turn. Rows whose values are not numbers are left out, as in AIPerf,
 * because the published files contain failed requests.
 */
export async function readBurstGptTrace(path: string): Promise<TraceEntry[]> {
  const entries: TraceEntry[] = [];
  let columns: readonly number[] | undefined;
  let number = 0;
  for await (const line of readLines(path)) {
    number += 1;
    if (line.trim() === '') continue;
    columns ??= findColumns(path, line);
    const entry = number === 1 ? undefined : parseRow(splitRow(line), columns, `${path}:${number}`);
    if (entry) entries.push(entry);
  }
  if (number > 1 && entries.length === 0)
    throw new InputError(`${path} has no rows with numbers; expected seconds and numbers of tokens`);
  return entries;
}

/** Returns the positions of the columns in the header. */
function findColumns(path: string, header: string): readonly number[] {
  const names = splitRow(header);
  const missing = COLUMNS.find(column => !names.includes(column));
  if (missing !== undefined)
    throw new InputError(
      `${path}:1: missing column ${JSON.stringify(missing)}; expected a CSV header with ${COLUMNS.join(', ')}`,
    );
  return COLUMNS.map(column => names.indexOf(column));
}

function parseRow(
  cells: readonly string[],
  columns: readonly number[],
  place: string,
): TraceEntry | undefined {
  const [seconds, input, output] = columns.map(column => parseNumber(cells[column] ?? ''));
  if (seconds === undefined || !isTokenCount(input) || !isTokenCount(output)) return undefined;
  return { place, timestamp: seconds * 1000, session: `row-${place}`, input, output, hashIds: [] };
}

function parseNumber(text: string): number | undefined {
  const value = text === '' ? Number.NaN : Number(text);
  return value >= 0 && Number.isFinite(value) ? value : undefined;
}

function isTokenCount(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value <= MAX_TEXT_TOKENS;
}
