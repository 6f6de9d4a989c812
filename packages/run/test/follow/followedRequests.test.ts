import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileRecord, ServerMetricsDocument } from '@org/formats';
import { writeProfileRecordLine } from '@org/formats/write';
import type { ProfileHeader, RecoveredRun } from '@org/record/journal';
import { expect, test } from 'vitest';
import { FollowedRequests } from '../../src/follow/followedRequests.ts';
import { createFolder } from '../plans.ts';
import { createParts, ORIGIN_NS } from '../profile/parts.ts';

/** Start and end of a request, in seconds since the start of the run. */
type Times = readonly [start: number, end: number];

const { benchmarkId, version, inputConfig, runInfo } = createParts();
const HEADER: ProfileHeader = {
  startNs: ORIGIN_NS,
  inputConfig,
  runInfo,
  streaming: true,
  tokenizer: 'server',
  tokenSource: 'server',
  hasServers: true,
};
/** The servers are scraped every 0.3 s, and have only one timeslice so far. */
const DOCUMENT = {
  metrics: { a: { series: [{ timeslices: [{ start_ns: ORIGIN_NS }] }] } },
  summary: { endpoint_info: { a: { median_update_interval_ms: 300 } } },
} as unknown as ServerMetricsDocument;

function toNs(seconds: number): bigint {
  return ORIGIN_NS + BigInt(Math.round(seconds * 1e9));
}

/** Appends requests to the file of a run. */
function append(path: string, requests: readonly Times[]): void {
  const lines = requests.map(([start, end]) => `${writeProfileRecordLine(createLine(start, end))}\n`);
  appendFileSync(path, lines.join(''));
}

function createLine(start: number, end: number): ProfileRecord {
  return {
    metadata: {
      session_num: 0,
      x_request_id: `r${start}`,
      x_correlation_id: 'c',
      conversation_id: 'k',
      turn_index: 0,
      credit_issued_ns: toNs(start),
      request_start_ns: toNs(start),
      request_ack_ns: toNs(end),
      request_end_ns: toNs(end),
      worker_id: 'worker_0',
      record_processor_id: 'record_processor_0',
      benchmark_phase: 'profiling',
      was_cancelled: false,
    },
    metrics: { request_latency: { value: (end - start) * 1e3, unit: 'ms' } },
    error: null,
  };
}

/** Reads the requests of a run with timeslices of one second, and returns its timeslices. */
async function readTimeslices(followed: FollowedRequests, lastSeconds: number, isComplete = false) {
  await followed.read(ORIGIN_NS);
  const run = {
    header: { benchmarkId, version },
    record: {
      period: { startNs: ORIGIN_NS, endNs: toNs(lastSeconds) },
      endNs: toNs(lastSeconds),
      endpoints: [],
    },
    replay: { marks: [] },
  } as unknown as RecoveredRun;
  const documents = followed.createDocuments(run, { document: DOCUMENT, gpus: undefined, isComplete });
  return documents!.timeslices!.timeslices;
}

/** Returns the numbers of requests in timeslices. */
function count(timeslices: Awaited<ReturnType<typeof readTimeslices>>): (number | undefined)[] {
  return timeslices.map(slice => (slice.request_count as { readonly avg?: number }).avg);
}

test('has the same timeslices when it reads a run in pieces and at once', async () => {
  const path = join(createFolder(), 'profile_export.jsonl');
  const followed = new FollowedRequests(HEADER, path, 1);
  const pieces: readonly (readonly Times[])[] = [
    [[0.2, 0.4]],
    [
      [0.3, 1.6],
      [1.2, 1.8],
    ],
    // A request that started in a timeslice that has ended.
    [[0.9, 3.1]],
    [[3.2, 3.4]],
  ];
  const results: (readonly unknown[])[] = [];
  for (const piece of pieces) {
    append(path, piece);
    const last = piece.at(-1)![1];
    const slices = await readTimeslices(followed, last);
    expect(slices).toEqual(await readTimeslices(new FollowedRequests(HEADER, path, 1), last));
    results.push(slices);
  }
  const [before, after] = results.slice(-2);
  // The last request changes only the timeslice in which it started and ended.
  expect(after!.map(slice => before!.includes(slice))).toEqual([true, true, false]);
});

test('adds a short last timeslice to the one before it only when the run has ended', async () => {
  const path = join(createFolder(), 'profile_export.jsonl');
  const followed = new FollowedRequests(HEADER, path, 1);
  append(path, [
    [0.2, 0.4],
    [1.05, 1.1],
  ]);
  expect(count(await readTimeslices(followed, 1.1))).toEqual([1, 1]);
  append(path, [[1.15, 1.2]]);
  expect(count(await readTimeslices(followed, 1.2))).toEqual([1, 2]);
  expect(count(await readTimeslices(followed, 1.2, true))).toEqual([3]);
});
