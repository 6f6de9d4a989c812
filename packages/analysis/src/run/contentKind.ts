import type { Source } from '@org/formats/read';

/** Returns the start of a file as text. */
export function decodeHead({ head }: Source): string {
  return Buffer.from(head).toString('utf8');
}

/** Reports whether a file contains the aggregates of several runs. */
export function isRunSet(head: string): boolean {
  return /"aggregation_type"\s*:/.test(head);
}

/** Reports whether a file contains raw scrape records as JSONL, based on its first line. */
export function isRecord(head: string): boolean {
  const [line = ''] = head.split('\n', 1);
  return (
    /^\s*\{/.test(line) &&
    /"timestamp_ns"\s*:/.test(line) &&
    /"(?:endpoint_url|endpoint_latency_ns)"\s*:/.test(line)
  );
}

/** Reports whether a file contains individual requests, like profile_export.jsonl, based on its first line. */
export function isRequest(head: string): boolean {
  const [line = ''] = head.split('\n', 1);
  return /^\s*\{\s*"metadata"\s*:/.test(line) && /"request_(?:start|end|ack)_ns"/.test(line);
}

/** Reports whether a file is a profile export, based on the fields at its start. */
export function isProfile(head: string): boolean {
  if (/^\uFEFF?Metric,/.test(head)) return true;
  if (isRequest(head) || !/^\uFEFF?\s*\{/.test(head)) return false;
  if (/"(?:endpoints_configured|endpoint_info|series)"\s*:/.test(head)) return false;
  return /"(?:unit|run_info|error_summary|was_cancelled)"\s*:/.test(head);
}
