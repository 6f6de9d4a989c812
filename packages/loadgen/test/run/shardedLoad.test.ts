import { expect, test } from 'vitest';
import type { Inputs } from '../../src/input/conversation.ts';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import type { RequestRecord } from '../../src/requestRecord.ts';
import type { LoadOptions } from '../../src/run/loadOptions.ts';
import type { LoadSummary } from '../../src/run/loadSummary.ts';
import { writeJsonl } from '../support/files.ts';
import { runLoad } from '../support/load.ts';
import { CHAT_BODY, formatResponse, startRawServer } from '../support/server.ts';

type Load = Pick<LoadOptions, 'profiling' | 'warmup'>;

const createTurns =
  (turns: number, delayMs = 0): (() => Promise<Inputs>) =>
  async () =>
    createSyntheticInputs({
      seed: 4,
      inputTokens: { mean: 6 },
      outputTokens: { mean: 3 },
      turns: { mean: turns },
      turnDelayMs: { mean: delayMs },
    });

const createTrace = (): Promise<Inputs> =>
  openFileInputs(
    writeJsonl(
      ...Array.from({ length: 11 }, (_, index) => ({ text: `question ${index}`, timestamp: index * 20 })),
    ),
  );

/** A request as compared: its number, its body and its planned time relative to the start of its phase. */
interface SentRequest {
  readonly phase: string;
  readonly session: number;
  readonly turn: number;
  readonly plannedNs: number;
  readonly payload: string;
}

/** Sends a load as `count` shards at the same time. Returns their requests, in order of their numbers, and summaries. */
async function sendShards(
  load: Load,
  openInputs: () => Promise<Inputs>,
  count: number,
): Promise<{ requests: SentRequest[]; summaries: LoadSummary[] }> {
  const { url } = await startRawServer(socket =>
    socket.write(formatResponse('200 OK', 'application/json', CHAT_BODY)),
  );
  const runs = await Promise.all(
    Array.from({ length: count }, async (_, index) =>
      runLoad(url, {
        ...load,
        inputs: await openInputs(),
        shard: { index, count },
        seed: 5,
        keepRaw: true,
        target: { streaming: false },
      }),
    ),
  );
  const requests = runs.flatMap(({ records, summary }) => records.map(record => toSent(record, summary)));
  expect(
    new Set(runs.flatMap(({ records }) => records.map(({ phase, index }) => `${phase} ${index}`))).size,
  ).toBe(requests.length);
  requests.sort((a, b) => a.phase.localeCompare(b.phase) || a.session - b.session || a.turn - b.turn);
  return { requests, summaries: runs.map(({ summary }) => summary) };
}

function toSent(
  { phase, session, turn, intendedNs, raw }: RequestRecord,
  { phases }: LoadSummary,
): SentRequest {
  const { startNs } = phases.find(summary => summary.phase === phase)!;
  return { phase, session, turn, plannedNs: intendedNs - startNs, payload: raw!.payload };
}

const omitTimes = ({ plannedNs: _, ...request }: SentRequest): object => request;

test.each<[string, Load, () => Promise<Inputs>]>([
  ['a constant rate', { profiling: { rate: 200, pattern: 'constant', requestCount: 25 } }, createTurns(1)],
  ['a Poisson rate', { profiling: { rate: 200, requestCount: 25 } }, createTurns(1)],
  [
    'a gamma rate',
    { profiling: { rate: 200, pattern: 'gamma', smoothness: 2, requestCount: 25 } },
    createTurns(1),
  ],
  ['a rate with a limit', { profiling: { rate: 200, concurrency: 7, sessionCount: 25 } }, createTurns(1)],
  [
    'a rate with a warm-up',
    { warmup: { rate: 200, requestCount: 7 }, profiling: { rate: 200, requestCount: 11 } },
    createTurns(1),
  ],
  ['a fixed schedule', { profiling: { fixedSchedule: true } }, createTrace],
])('%s: 3 shards send the requests of 1 process at the same planned times', async (_, load, openInputs) => {
  const whole = await sendShards(load, openInputs, 1);
  const parts = await sendShards(load, openInputs, 3);
  expect(parts.requests).toEqual(whole.requests);
  expect(whole.requests.length).toBeGreaterThan(9);
});

test('users: 3 shards send the requests of 1 process, and start users at the same planned times', async () => {
  const load = { profiling: { rate: 100, users: 6, sessionCount: 14 } };
  const whole = await sendShards(load, createTurns(3), 1);
  const parts = await sendShards(load, createTurns(3), 3);
  expect(parts.requests.map(omitTimes)).toEqual(whole.requests.map(omitTimes));
  const listStarts = ({ requests }: typeof whole): SentRequest[] => requests.filter(({ turn }) => turn === 0);
  expect(listStarts(parts)).toEqual(listStarts(whole));
});

test.each<[string, Load, () => Promise<Inputs>]>([
  ['requests', { profiling: { concurrency: 7, requestCount: 25 } }, createTurns(1)],
  ['sessions of several turns', { profiling: { concurrency: 5, sessionCount: 11 } }, createTurns(3, 2)],
  ['a file', { profiling: { concurrency: 3 } }, createTrace],
  [
    'a warm-up',
    { warmup: { concurrency: 3, requestCount: 5 }, profiling: { concurrency: 4, requestCount: 9 } },
    createTrace,
  ],
])('closed loop with %s: 3 shards send the requests of 1 process', async (_, load, openInputs) => {
  const whole = await sendShards(load, openInputs, 1);
  const parts = await sendShards(load, openInputs, 3);
  expect(parts.requests.map(omitTimes)).toEqual(whole.requests.map(omitTimes));
});

test('a rate with several turns: 3 shards send as many requests as 1 process, and keep conversations', async () => {
  const load = { profiling: { rate: 300, requestCount: 31 } };
  const { requests, summaries } = await sendShards(load, createTurns(3), 3);
  expect(requests).toHaveLength(31);
  expect(summaries.map(({ phases }) => phases[0]!.sent)).toEqual([11, 10, 10]);
  expect(new Set(requests.map(({ session, turn }) => `${session} ${turn}`)).size).toBe(31);
});
