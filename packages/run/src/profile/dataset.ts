import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DatasetType } from '@org/loadgen';
import { isBurstGptHeader } from '@org/loadgen/detect';

/** The properties of an input file that its first line determines. */
export interface Dataset {
  readonly type: DatasetType;
  /** True if requests are sent at the timestamps by default, as in AIPerf. */
  readonly isScheduled: boolean;
}

/** Maximum number of bytes to read for the first line. */
const MAX_HEAD_BYTES = 1 << 20;

/**
 * Detects the format of an input file, or of the files of a folder, as AIPerf does. A field `type` that names a
 * format decides. Throws the system error of `node:fs` if the file cannot be read.
 */
export function detectDataset(path: string): Dataset {
  const isFolder = statSync(path).isDirectory();
  if (!isFolder && /\.(?:parquet|arrow|ipc)$/i.test(path))
    return { type: 'baseten_trace', isScheduled: true };
  const line = readFirstLine(isFolder ? findFirstFile(path) : path);
  const fields = parseObject(line);
  const type = isFolder ? detectFolderType(fields) : detectType(line, fields);
  return { type, isScheduled: hasTimestamp(fields) };
}

type Fields = Readonly<Record<string, unknown>>;

/** Formats whose lines may name them in a field `type`. */
const NAMED_TYPES: readonly DatasetType[] = ['single_turn', 'multi_turn', 'random_pool', 'mooncake_trace'];

function detectFolderType(fields: Fields): DatasetType {
  if (isCapture(fields)) return 'sagemaker_data_capture';
  return Array.isArray(fields.messages) ? 'raw_payload' : 'random_pool';
}

function detectType(line: string, fields: Fields): DatasetType {
  const named = NAMED_TYPES.find(name => name === fields.type);
  if (named !== undefined) return named;
  if (isBurstGptHeader(line)) return 'burst_gpt_trace';
  if (isCapture(fields)) return 'sagemaker_data_capture';
  if ('chat_id' in fields) return 'bailian_trace';
  // A formatted inputs.json, or a list of ShareGPT, has several lines or a line that is too long to parse.
  if (/^\[|"conversations"\s*:/.test(line)) return 'sharegpt';
  if (/^\{\s*("data"\s*:|$)/.test(line)) return 'inputs_json';
  if (isTraceLine(fields)) return 'mooncake_trace';
  if (Array.isArray(fields.messages)) return 'raw_payload';
  if (isDagLine(fields)) return 'dag_jsonl';
  return 'turns' in fields ? 'multi_turn' : 'single_turn';
}

function isCapture(fields: Fields): boolean {
  return 'captureData' in fields && 'eventMetadata' in fields;
}

/** Reports whether a line is a conversation whose turns have messages, or start other conversations. */
function isDagLine({ session_id: id, turns, orchestrator }: Fields): boolean {
  if (typeof id !== 'string') return false;
  const isDagTurn = (turn: unknown): boolean =>
    typeof turn === 'object' && turn !== null && ('messages' in turn || 'forks' in turn || 'spawns' in turn);
  return orchestrator === true || (Array.isArray(turns) && turns.some(isDagTurn));
}

/** Reports whether a line has a field that only traces have. Messages without such a field are a request body. */
function isTraceLine(fields: Fields): boolean {
  return ['input_length', 'hash_ids', 'text_input', 'payload'].some(name => name in fields);
}

/** Returns the first file of a folder and its subfolders that is not empty; the folder itself if all are empty. */
function findFirstFile(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  return files.sort().find(file => statSync(file).size > 0) ?? folder;
}

function readFirstLine(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(MAX_HEAD_BYTES);
    const length = readSync(descriptor, buffer, 0, MAX_HEAD_BYTES, 0);
    return decodeHead(file, buffer.subarray(0, length))
      .replace(/^\uFEFF/, '')
      .trimStart()
      .split('\n', 1)[0]!;
  } finally {
    closeSync(descriptor);
  }
}

/** Decodes the start of a file; a file whose name ends with `.gz` is decompressed. */
function decodeHead(file: string, head: Buffer): string {
  if (!file.endsWith('.gz')) return head.toString();
  try {
    // The head is only a part of the compressed data.
    return gunzipSync(head, { finishFlush: 2, maxOutputLength: 64 * MAX_HEAD_BYTES }).toString();
  } catch {
    return '';
  }
}

/** Parses a line; a line that is not a JSON object has no fields. */
function parseObject(line: string): Fields {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

/** Reports whether a line, or the first turn in it, has a timestamp. */
function hasTimestamp({ timestamp, turns }: Fields): boolean {
  const firstTurn = Array.isArray(turns)
    ? (turns[0] as { readonly timestamp?: unknown } | undefined)
    : undefined;
  return typeof (timestamp ?? firstTurn?.timestamp) === 'number';
}
