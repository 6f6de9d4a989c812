import type { Source } from './source.ts';

/** File encoding of a document. */
export type Encoding = 'json' | 'jsonl' | 'csv' | 'parquet' | 'text';

/**
 * Detects the encoding of a file. Parquet is recognized by its magic bytes or file name, CSV by a comment or header, and
 * JSON lines by the file name or the first line. A file named like a text is text, unless it starts like JSON. Everything
 * else is JSON.
 */
export function detectEncoding({ head, name }: Pick<Source, 'head' | 'name'>): Encoding {
  const text = new TextDecoder().decode(head);
  // A damaged Parquet file is recognized by its name.
  if (text.startsWith('PAR1') || /\.parquet$/i.test(name ?? '')) return 'parquet';
  if (/^\s*(#|"?(Endpoint|Metric|Timeslice)"?,)/.test(text)) return 'csv';
  if (/\.(jsonl|ndjson)$/i.test(name ?? '') || isRecordLine(text) || CONSECUTIVE_OBJECTS.test(text))
    return 'jsonl';
  // JSON never starts with a word and a comma. A CSV file can, even if it is not an export.
  if ((/\.csv$/i.test(name ?? '') && !/^\s*[[{]/.test(text)) || /^[A-Za-z][^\n{]*,/.test(text)) return 'csv';
  return /\.(txt|log)(\.gz)?$/i.test(name ?? '') && !/^\s*[[{]/.test(text) ? 'text' : 'json';
}

/** The start of a server metrics record. */
const SERVER_METRICS_RECORD = /^\s*\{[ \t]*"(endpoint_url|timestamp_ns|endpoint_latency_ns|benchmark_phase)"/;

/** The start of a GPU telemetry record. */
const GPU_TELEMETRY_RECORD = /^\s*\{[ \t]*"gpu_(index|uuid|model_name)"/;

/**
 * An object that ends on the first line, followed by another object. A JSON document cannot contain two
 * top-level objects.
 */
const CONSECUTIVE_OBJECTS = /^\s*\{[^\n]*\}[ \t]*\r?\n\{/;

/** The start of a request record, whose first field is `metadata`. */
const REQUEST_RECORD =
  /^\s*\{[ \t]*"metadata"[ \t]*:[ \t]*\{[^\n]*"(session_num|request_start_ns|benchmark_phase)"[ \t]*:/;

/**
 * Reports whether the text starts with a record on a single line. A record that spans several lines is a JSON
 * document.
 */
function isRecordLine(head: string): boolean {
  return (
    [SERVER_METRICS_RECORD, GPU_TELEMETRY_RECORD, REQUEST_RECORD].some(start => start.test(head)) &&
    !/^\s*\{[^\n]*,\s*\n\s+"/.test(head)
  );
}
