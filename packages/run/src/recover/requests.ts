import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Issue, ProfileRecord } from '@org/formats';
import { isSourceError, readProfileRecords } from '@org/formats/read';
import { RunInputError } from '@org/record';
import { describeSystemError } from '@org/scrape';
import type { Log } from '../lifecycle/log.ts';

/** How many lines there were, and how many of them could not be used. */
export interface RequestsRead {
  readonly requests: number;
  readonly dropped: number;
}

/**
 * Reads the requests of a run out of profile_export.jsonl, in the order in which they were measured. Lines that are none, such
 * as a last one that a kill has cut, are left out, counted and told; so are those of before the run. Throws `RunInputError` when
 * the file cannot be read.
 */
export async function readRequests(
  path: string,
  startNs: bigint,
  take: (line: ProfileRecord) => void,
  log: Log,
): Promise<RequestsRead> {
  if (!existsSync(path)) {
    log.warning(`there is no ${basename(path)}: no request had ended`);
    return { requests: 0, dropped: 0 };
  }
  const broken = new Map<number, string>();
  const onIssue = ({ severity, line, message }: Issue): void => {
    if (severity === 'error' && !broken.has(line ?? 0)) broken.set(line ?? 0, message);
  };
  let requests = 0;
  let earlier = 0;
  for await (const record of readable(path, readProfileRecords(path, { onIssue }))) {
    if (BigInt(record.metadata.request_start_ns) < startNs) {
      earlier += 1;
      continue;
    }
    requests += 1;
    take(record);
  }
  for (const message of messagesOf(basename(path), broken, earlier)) log.warning(message);
  return { requests, dropped: broken.size + earlier };
}

/** Exports without the requests would say that there were none. */
async function* readable<T>(path: string, records: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* records;
  } catch (error) {
    if (!isSourceError(error)) throw error;
    throw new RunInputError(
      'code' in error ? `cannot read ${path}: ${describeSystemError(error)}` : error.message,
    );
  }
}

function* messagesOf(name: string, broken: ReadonlyMap<number, string>, earlier: number): Generator<string> {
  const [first] = broken;
  if (first) {
    const others = broken.size > 1 ? `, and ${broken.size - 1} more lines` : '';
    yield `left out: line ${first[0]} of ${name}: ${first[1]}${others}`;
  }
  if (earlier > 0) yield `left out: ${earlier} line(s) of ${name} that are of an earlier run`;
}
