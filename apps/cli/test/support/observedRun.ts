import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceivedRequest, RecordingServer } from './recordingServer.ts';
import { FAST_SCRAPES, runServelens } from './servelens.ts';

/** Everything that a user, or a server, can see of a run. */
export interface ObservedRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly requests: readonly ReceivedRequest[];
  readonly scrapes: RecordingServer['scrapes'];
  /** Paths of all files in the folder of the run, relative to it. */
  readonly files: readonly string[];
  /** Reads a file of the run; empty if it does not exist. */
  readonly read: (name: string) => string;
  /** Reads a JSON file of the run; an empty object if it does not exist. */
  // biome-ignore lint/suspicious/noExplicitAny: documents of any kind
  readonly readJson: (name: string) => any;
}

/** Runs a command in this process, and returns what it did. `folder` is the folder of its exports. */
export async function observeRun(
  words: readonly string[],
  cwd: string,
  folder: string,
  server: RecordingServer,
): Promise<ObservedRun> {
  const [firstRequest, firstScrape] = [server.requests.length, server.scrapes.length];
  const result = await runServelens(words, { cwd, env: FAST_SCRAPES });
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  return {
    ...result,
    requests: server.requests.slice(firstRequest),
    scrapes: server.scrapes.slice(firstScrape),
    files: existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]).toSorted() : [],
    read,
    readJson: name => JSON.parse(read(name) || '{}'),
  };
}

/** Returns the largest number of requests that were in flight at the same time. */
export function countInFlight(requests: readonly ReceivedRequest[]): number {
  const overlaps = requests.map(
    ({ startMs }) => requests.filter(other => other.startMs <= startMs && !(other.endMs <= startMs)).length,
  );
  return Math.max(0, ...overlaps);
}
