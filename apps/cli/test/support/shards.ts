import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileRecord } from '@org/formats';
import { fromPath, readProfileRecords } from '@org/formats/read';
import { expect } from 'vitest';
import { MODEL } from './profileRun.ts';
import type { RecordingServer } from './recordingServer.ts';
import { FAST_SCRAPES, startServelens } from './servelens.ts';

/** A request of a run as the client planned it and the server received it. */
export interface SentRequest {
  readonly phase: string;
  readonly session: number;
  readonly turn: number;
  readonly plannedNs: bigint;
  readonly body: unknown;
}

/** The requests of one process, and its folder. */
export interface ShardResult {
  readonly folder: string;
  readonly requests: readonly SentRequest[];
}

/** Writes the files that loads refer to into a folder. */
export function writeShardInputs(folder: string): void {
  const lines = Array.from({ length: 9 }, (_, index) => ({
    timestamp: 40 * index,
    text: `question ${index}`,
  }));
  writeFileSync(join(folder, 'timed.jsonl'), lines.map(line => JSON.stringify(line)).join('\n'));
}

/**
 * Sends a load in `count` processes with the same options, which differ only in --shard and the artifact folder. `count` 0 is
 * one process without --shard.
 */
export async function runShards(
  cwd: string,
  server: RecordingServer,
  load: readonly string[],
  count: number,
): Promise<ShardResult[]> {
  const fixed = [
    ...['profile', '--model', MODEL, '--url', server.url, '--random-seed', '7'],
    ...['--tokenizer', 'builtin', '--ui', 'none', '--no-gpu-telemetry', '--streaming'],
  ];
  const processes = Array.from({ length: Math.max(1, count) }, (_, index) => {
    const folder = join(cwd, `${count}-${index}`);
    const part = count === 0 ? [] : ['--shard', `${index}/${count}`];
    return {
      folder,
      process: startServelens([...fixed, ...load, ...part, '--artifact-dir', folder], {
        cwd,
        env: FAST_SCRAPES,
      }),
    };
  });
  for (const { process } of processes) expect(await process.ended).toMatchObject({ code: 0 });
  return Promise.all(
    processes.map(async ({ folder }) => ({ folder, requests: await readRequests(folder, server) })),
  );
}

async function readRequests(folder: string, { requests }: RecordingServer): Promise<SentRequest[]> {
  const bodies = new Map(requests.map(({ headers, body }) => [headers['x-request-id'], body as unknown]));
  return (await readLines(folder)).map(({ metadata }) => ({
    phase: metadata.benchmark_phase as string,
    session: Number(metadata.session_num),
    turn: Number(metadata.turn_index),
    plannedNs: BigInt(metadata.credit_issued_ns!),
    body: bodies.get(metadata.x_request_id!),
  }));
}

/** Reads the lines of the requests of a run. */
export async function readLines(folder: string): Promise<ProfileRecord[]> {
  const lines: ProfileRecord[] = [];
  for await (const line of readProfileRecords(fromPath(join(folder, 'profile_export.jsonl'))))
    lines.push(line);
  return lines;
}

/** Joins the requests of processes, without times, in order of their numbers. */
export function joinRequests(results: readonly ShardResult[]): unknown[] {
  return results
    .flatMap(({ requests }) => requests)
    .sort((a, b) => a.phase.localeCompare(b.phase) || a.session - b.session || a.turn - b.turn)
    .map(({ plannedNs: _, ...request }) => request);
}

/**
 * Lists the differences between the planned times of two processes for the same first turns. There is one difference if the
 * planned times are the same relative to the start of profiling.
 */
export function listShifts(whole: ShardResult, part: ShardResult): bigint[] {
  const isCompared = ({ phase, turn }: SentRequest): boolean => phase === 'profiling' && turn === 0;
  const planned = new Map(
    whole.requests.filter(isCompared).map(({ session, plannedNs }) => [session, plannedNs]),
  );
  const shifts = part.requests
    .filter(isCompared)
    .map(({ session, plannedNs }) => plannedNs - planned.get(session)!);
  return [...new Set(shifts)];
}
