import type { Source } from './source.ts';

/** File encoding of a document. */
export type Encoding = 'json' | 'jsonl' | 'csv' | 'parquet';

/**
 * Detects the encoding of a file: Parquet by its magic bytes, CSV by a comment or header, JSON lines by a first line
 * that is a record (or by the name), and JSON otherwise.
 */
export function detectEncoding({ head, name }: Pick<Source, 'head' | 'name'>): Encoding {
  const text = new TextDecoder().decode(head);
  if (text.startsWith('PAR1')) return 'parquet';
  if (/^\s*(#|"?(Endpoint|Metric|Timeslice)"?,)/.test(text)) return 'csv';
  if (/\.(jsonl|ndjson)$/i.test(name ?? '') || isRecordLine(text) || CONSECUTIVE_OBJECTS.test(text))
    return 'jsonl';
  // JSON never starts with a word and a comma, but a table may, even one that is not an export.
  if ((/\.csv$/i.test(name ?? '') && !/^\s*[[{]/.test(text)) || /^[A-Za-z][^\n{]*,/.test(text)) return 'csv';
  return 'json';
}

const SERVER_METRICS_RECORD = /^\s*\{[ \t]*"(endpoint_url|timestamp_ns|endpoint_latency_ns|benchmark_phase)"/;

/** A first line that ends an object, followed by a line that starts one, which is not valid in a JSON document. */
const CONSECUTIVE_OBJECTS = /^\s*\{[^\n]*\}[ \t]*\r?\n\{/;

/** A request record, which starts with its metadata. */
const REQUEST_RECORD =
  /^\s*\{[ \t]*"metadata"[ \t]*:[ \t]*\{[^\n]*"(session_num|request_start_ns|benchmark_phase)"[ \t]*:/;

/** Reports whether the text starts with a record on one line. A record that spans lines is a JSON document. */
function isRecordLine(head: string): boolean {
  return (
    (SERVER_METRICS_RECORD.test(head) || REQUEST_RECORD.test(head)) && !/^\s*\{[^\n]*,\s*\n\s+"/.test(head)
  );
}
