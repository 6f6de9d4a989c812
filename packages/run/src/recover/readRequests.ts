import { existsSync } from 'node:fs';
import { describeSystemError } from '@org/core';
import type { Issue, ProfileRecord } from '@org/formats';
import { fromPath, isSourceError, isWarmupRecord, readProfileRecords } from '@org/formats/read';
import { RunInputError } from '@org/record';
import type { RecoverEventSink } from '../events.ts';
import { isSpecialFile } from '../export/regularFile.ts';

/** Numbers of lines in a requests file. */
export interface LineCounts {
  /** Requests of the profiling phase. */
  readonly requests: number;
  /** Lines that were skipped: invalid, or of an earlier run. */
  readonly dropped: number;
}

/**
 * Reads the requests of a run from profile_export.jsonl, in file order. Skips invalid lines, such as a last
 * line that a kill truncated, and lines of requests that started before `startNs`. Throws `RunInputError` if
 * the file cannot be read.
 */
export async function readRequests(
  path: string,
  startNs: bigint,
  onRequest: (line: ProfileRecord) => void,
  emit: RecoverEventSink,
): Promise<LineCounts> {
  const isSkipped = isSpecialFile(path);
  if (isSkipped || !existsSync(path)) {
    emit({ type: 'requests_missing', path, isSkipped });
    return { requests: 0, dropped: 0 };
  }
  const invalidLines = new Map<number, string>();
  const onIssue = ({ severity, line, message }: Issue): void => {
    if (severity === 'error' && !invalidLines.has(line ?? 0)) invalidLines.set(line ?? 0, message);
  };
  let requests = 0;
  let earlierRequests = 0;
  for await (const record of withInputErrors(path, readProfileRecords(fromPath(path), { onIssue }))) {
    if (BigInt(record.metadata.request_start_ns) < startNs) {
      earlierRequests += 1;
      continue;
    }
    if (!isWarmupRecord(record)) requests += 1;
    onRequest(record);
  }
  const [first] = invalidLines;
  if (first) {
    const [firstLine, firstMessage] = first;
    emit({ type: 'lines_invalid', path, count: invalidLines.size, firstLine, firstMessage });
  }
  if (earlierRequests > 0) emit({ type: 'lines_of_earlier_run', path, count: earlierRequests });
  return { requests, dropped: invalidLines.size + earlierRequests };
}

/**
 * Converts read errors to `RunInputError`: exports must not claim that a run had no requests because its file
 * is unreadable.
 */
async function* withInputErrors<T>(path: string, records: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* records;
  } catch (error) {
    if (!isSourceError(error)) throw error;
    throw new RunInputError(
      'code' in error ? `cannot read ${path}: ${describeSystemError(error)}` : error.message,
    );
  }
}
