import type { Source } from './source.ts';

/** How the bytes are written. */
export type Encoding = 'json' | 'jsonl' | 'csv' | 'parquet';

/**
 * Tells how a file is written: Parquet by its magic, CSV by its comment or header, JSON lines by a first line
 * that is a record (or by the name), and JSON for everything else.
 */
export function sniff({ head, name }: Pick<Source, 'head' | 'name'>): Encoding {
  const text = new TextDecoder().decode(head);
  if (text.startsWith('PAR1')) return 'parquet';
  if (/^\s*(#|"?(Endpoint|Metric|Timeslice)"?,)/.test(text)) return 'csv';
  if (/\.(jsonl|ndjson)$/i.test(name ?? '') || isRecordLine(text) || severalObjects.test(text))
    return 'jsonl';
  // No JSON begins with a word and a comma; a table may, even one that is not ours.
  if ((/\.csv$/i.test(name ?? '') && !/^\s*[[{]/.test(text)) || /^[A-Za-z][^\n{]*,/.test(text)) return 'csv';
  return 'json';
}

const recordStart = /^\s*\{[ \t]*"(endpoint_url|timestamp_ns|endpoint_latency_ns|benchmark_phase)"/;

/** A first line that ends its object, and a second that begins one: no JSON goes on like this. */
const severalObjects = /^\s*\{[^\n]*\}[ \t]*\r?\n\{/;

/** The record of a request begins with its metadata. */
const requestStart =
  /^\s*\{[ \t]*"metadata"[ \t]*:[ \t]*\{[^\n]*"(session_num|request_start_ns|benchmark_phase)"[ \t]*:/;

/** A record on a line of its own; one that is spread over lines is a JSON document. */
function isRecordLine(head: string): boolean {
  return (recordStart.test(head) || requestStart.test(head)) && !/^\s*\{[^\n]*,\s*\n\s+"/.test(head);
}
