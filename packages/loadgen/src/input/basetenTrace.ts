import { InputError } from './inputError.ts';
import { describeValue, type Fields } from './inputFile.ts';
import { type ParquetRows, readParquetRows } from './parquetRows.ts';
import { MAX_TEXT_TOKENS } from './textGenerator.ts';
import type { TraceEntry } from './traceEntry.ts';

/** Options of {@link readBasetenTrace}. */
export interface BasetenOptions {
  /** Leave out the recorded hashes and block sizes, which requests contain as hints for a router. */
  readonly omitsHints?: boolean;
}

const REQUIRED = ['timestamp_start_unix_ms', 'prompt', 'input_tokens', 'output_tokens'] as const;
/** Columns with the session of a request; the first that the file has is used, as in AIPerf. */
const SESSION_COLUMNS = ['provided_session_id', 'poor_man_session_id'] as const;
const HINT_COLUMNS = ['total_hashes', 'block_size'] as const;

/**
 * Reads a trace of completions in the format of Baseten: Parquet with a row for each request. The prompts are sent as they
 * were recorded. Timestamps are relative to the first request. Entries are ordered by time.
 */
export async function readBasetenTrace(path: string, options: BasetenOptions = {}): Promise<TraceEntry[]> {
  if (/\.(?:arrow|ipc)$/i.test(path))
    throw new InputError(`${path} is an Arrow IPC file, which is not supported; expected a Parquet file`);
  const { rows, columns } = await readRows(path, options);
  const session = SESSION_COLUMNS.find(name => columns.includes(name));
  const entries = rows.map((row, index) => {
    try {
      return toEntry(row, session, `${path}:${index + 1}`);
    } catch (error) {
      if (error instanceof InputError) throw new InputError(`${path}:${index + 1}: ${error.message}`);
      throw error;
    }
  });
  const originMs = entries.reduce((min, { timestamp }) => Math.min(min, timestamp), Number.POSITIVE_INFINITY);
  return entries
    .map(entry => ({ ...entry, timestamp: entry.timestamp - originMs }))
    .sort((a, b) => a.timestamp - b.timestamp);
}

/** Reads the columns that requests need. */
function readRows(path: string, { omitsHints = false }: BasetenOptions): Promise<ParquetRows> {
  return readParquetRows(path, columns => {
    const missing = REQUIRED.find(name => !columns.includes(name));
    if (missing !== undefined)
      throw new InputError(
        `${path} has no column ${JSON.stringify(missing)}; expected ${REQUIRED.join(', ')}`,
      );
    return [...REQUIRED, ...SESSION_COLUMNS, 'duration_e2e_ms', ...(omitsHints ? [] : HINT_COLUMNS)].filter(
      name => columns.includes(name),
    );
  });
}

function toEntry(
  row: Fields,
  sessionColumn: string | undefined,
  place: string,
): TraceEntry & { readonly timestamp: number } {
  const { prompt } = row;
  if (typeof prompt !== 'string') throw new InputError(`prompt is ${describeValue(prompt)}; expected a text`);
  const session = sessionColumn === undefined ? undefined : row[sessionColumn];
  const hashIds = readHashes(row.total_hashes);
  const blockSize = readCount(row, 'block_size', MAX_TEXT_TOKENS);
  const durationMs = readCount(row, 'duration_e2e_ms', Number.MAX_SAFE_INTEGER);
  return {
    place,
    timestamp: readRequired(row, 'timestamp_start_unix_ms', Number.MAX_SAFE_INTEGER),
    session: session === undefined || session === null ? `row-${place}` : `session-${String(session)}`,
    input: readRequired(row, 'input_tokens', MAX_TEXT_TOKENS),
    // Cancelled requests have no output, but a request has to allow at least one token.
    output: Math.max(1, readRequired(row, 'output_tokens', MAX_TEXT_TOKENS)),
    hashIds,
    content: { text: prompt, isComplete: true },
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(hashIds.length === 0 && blockSize === undefined
      ? {}
      : {
          extra: {
            ...(hashIds.length === 0 ? {} : { hash_ids: hashIds }),
            ...(blockSize === undefined ? {} : { block_size: blockSize }),
          },
        }),
  };
}

function readRequired(row: Fields, name: string, max: number): number {
  const value = readCount(row, name, max);
  if (value === undefined) throw new InputError(`missing ${name}; expected an integer`);
  return value;
}

/** Returns an integer; undefined if it is absent. */
function readCount(row: Fields, name: string, max: number): number | undefined {
  const cell = row[name];
  if (cell === undefined || cell === null) return undefined;
  const value = toInteger(cell);
  if (value !== undefined && value <= max) return value;
  throw new InputError(`${name} is ${describeValue(cell)}; expected an integer from 0 to ${max}`);
}

function readHashes(cell: unknown): readonly number[] {
  if (cell === undefined || cell === null) return [];
  const hashes = Array.isArray(cell) ? cell.map(toInteger) : [undefined];
  const invalid = hashes.indexOf(undefined);
  if (invalid === -1) return hashes as number[];
  throw new InputError(
    `total_hashes has ${describeValue(Array.isArray(cell) ? cell[invalid] : cell)}; expected integers from 0 to ${Number.MAX_SAFE_INTEGER}, or --omit-kv-hints`,
  );
}

function toInteger(cell: unknown): number | undefined {
  const value = typeof cell === 'bigint' || typeof cell === 'number' ? Number(cell) : Number.NaN;
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
