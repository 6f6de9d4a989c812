import { describeSystemError } from '@org/core';
import type { Issue, ProfileRecord } from '@org/formats';
import { fromPath, isSourceError, isWarmupRecord, readProfileRecords } from '@org/formats/read';
import { openProfileRecords, type WriteResult } from '@org/formats/write';
import type { GoodputRule } from '@org/loadgen';
import { RunInputError } from '@org/record';
import { rateRequest } from '../profile/goodRequest.ts';
import { toClientTokens } from '../profile/tokenSource.ts';
import type { ShardProfile, ShardRun } from './shardRun.ts';

/** A shard of a profile run. */
export type ProfileShard = ShardRun & { readonly profile: ShardProfile };

/** The requests of all shards in one file. */
export interface MergedRequests {
  readonly file: WriteResult;
  /** Number of profiling requests of each shard. */
  readonly counts: readonly number[];
  /** Number of lines that could not be read. */
  readonly dropped: number;
  /** Delays between the planned and the actual start of profiling requests, ascending, in ns. */
  readonly sendDelaysNs: Float64Array;
  /** Number of warm-up requests that were cancelled because the warm-up ended. */
  readonly warmupCutOff: number;
  readonly times: RequestTimes;
}

/** Times of the requests of all shards, in Unix nanoseconds; undefined without such requests. */
export interface RequestTimes {
  readonly warmupEndNs: bigint | undefined;
  readonly firstStartNs: bigint | undefined;
  readonly lastEndNs: bigint | undefined;
}

/** Changes of lines while they are merged. */
export interface LineChanges {
  /** True to replace the token counts of the server with the client's, because some shards lack the counts of the server. */
  readonly usesClientTokens: boolean;
  readonly goodput: readonly GoodputRule[] | undefined;
}

/** The next line of a shard. */
interface Head {
  readonly position: number;
  readonly lines: AsyncGenerator<ProfileRecord>;
  line: ProfileRecord;
}

/** Merges the requests files of shards into one file, in the order of the ends of requests. */
export async function mergeRequests(
  shards: readonly ProfileShard[],
  path: string,
  changes: LineChanges,
  onIssue: (shard: ProfileShard, issue: Issue) => void,
): Promise<MergedRequests> {
  const writer = await openProfileRecords(path);
  const counts = shards.map(() => 0);
  const delays: number[] = [];
  let [dropped, warmupCutOff] = [0, 0];
  let times: RequestTimes = { warmupEndNs: undefined, firstStartNs: undefined, lastEndNs: undefined };
  const readLines = (shard: ProfileShard): AsyncGenerator<ProfileRecord> =>
    readShardLines(shard, issue => {
      if (issue.severity === 'error') dropped += 1;
      onIssue(shard, issue);
    });
  for await (const { position, line } of mergeLines(shards.map(readLines))) {
    times = extend(times, line);
    if (isWarmupRecord(line)) {
      if (line.error?.type === 'Interrupted') warmupCutOff += 1;
    } else {
      counts[position]! += 1;
      const { credit_issued_ns: plannedNs, request_start_ns: startNs } = line.metadata;
      if (plannedNs !== undefined && plannedNs !== null)
        delays.push(Number(BigInt(startNs) - BigInt(plannedNs)));
    }
    await writer.append(changeLine(line, shards[position]!, changes));
  }
  const file = await writer.close();
  return { file, counts, dropped, sendDelaysNs: Float64Array.from(delays).sort(), warmupCutOff, times };
}

/** Extends the times by a request. Requests are passed in the order of their ends. */
function extend(times: RequestTimes, line: ProfileRecord): RequestTimes {
  const startNs = BigInt(line.metadata.request_start_ns);
  const endNs = BigInt(line.metadata.request_end_ns);
  if (isWarmupRecord(line)) return { ...times, warmupEndNs: endNs };
  const { firstStartNs = startNs } = times;
  return { ...times, firstStartNs: startNs < firstStartNs ? startNs : firstStartNs, lastEndNs: endNs };
}

/** Yields the lines of several files, each in its own order, by the ends of their requests. */
async function* mergeLines(files: AsyncGenerator<ProfileRecord>[]): AsyncGenerator<Omit<Head, 'lines'>> {
  const heads: Head[] = [];
  for (const [position, lines] of files.entries()) {
    const first = await lines.next();
    if (!first.done) heads.push({ position, lines, line: first.value });
  }
  while (heads.length > 0) {
    const earliest = heads.reduce((best, head) => (endOf(head) < endOf(best) ? head : best));
    yield { position: earliest.position, line: earliest.line };
    const next = await earliest.lines.next();
    if (next.done) heads.splice(heads.indexOf(earliest), 1);
    else earliest.line = next.value;
  }
}

function endOf({ line }: Head): bigint {
  return BigInt(line.metadata.request_end_ns);
}

/** Reads the lines of a shard. Skips invalid lines, and lines of an earlier run. Throws `RunInputError` if that fails. */
async function* readShardLines(
  { profile: { paths }, startNs }: ProfileShard,
  onIssue: (issue: Issue) => void,
): AsyncGenerator<ProfileRecord> {
  try {
    for await (const line of readProfileRecords(fromPath(paths.jsonl), { onIssue }))
      if (BigInt(line.metadata.request_start_ns) >= startNs) yield line;
  } catch (error) {
    if (!isSourceError(error)) throw error;
    throw new RunInputError(
      'code' in error ? `cannot read ${paths.jsonl}: ${describeSystemError(error)}` : error.message,
    );
  }
}

/** Adds the shard to the name of the worker thread, which is unique only within a process. */
function changeLine(
  line: ProfileRecord,
  { shard }: ProfileShard,
  { usesClientTokens, goodput }: LineChanges,
): ProfileRecord {
  const converted = usesClientTokens ? rateRequest(toClientTokens(line), goodput) : line;
  const { metadata } = converted;
  return { ...converted, metadata: { ...metadata, worker_id: `shard_${shard.index}_${metadata.worker_id}` } };
}
