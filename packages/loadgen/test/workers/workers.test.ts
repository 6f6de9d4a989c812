import { type LoadDescription, openWorkers } from '@org/loadgen';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RequestRecord } from '../../src/requestRecord.ts';
import type { PhaseEvent } from '../../src/run/loadOptions.ts';
import type { LoadSummary } from '../../src/run/loadSummary.ts';
import { writeJsonl, writeTempFile } from '../support/files.ts';
import { clock } from '../support/load.ts';
import { DONE, END, formatChatEvent, formatChunk, formatHead, startRawServer } from '../support/server.ts';
import { MODEL, startSimulator } from '../support/simulator.ts';
import { WORD_TOKENIZER } from '../support/tokenizer.ts';
import { runWorkers, SYNTHETIC } from '../support/workers.ts';

/** Formats the properties of a request that are reproducible with a seed. */
const formatRequest = ({ phase, session, turn, conversationId, requestedOutput, text }: RequestRecord) =>
  [phase, session, turn, conversationId, requestedOutput, text?.input].join(' | ');

const formatCounts = ({
  phase,
  sent,
  succeeded,
  failed,
  stopReason,
  sessions,
}: LoadSummary['phases'][number]) => [phase, sent, succeeded, failed, stopReason, sessions].join(' ');

/** Lists [session, intended send time in ns since the start of the phase], sorted by session. */
const listTimes = (records: readonly RequestRecord[], { phases }: LoadSummary) =>
  records
    .map(({ session, intendedNs }) => [session, intendedNs - phases[0]!.startNs])
    .sort((a, b) => a[0]! - b[0]!);

const formatEvent = ({ phase, kind }: PhaseEvent) => `${phase} ${kind}`;

describe('the load is the same with any number of threads', () => {
  const closedLoop = {
    warmup: { concurrency: 3, requestCount: 5 },
    profiling: { concurrency: 7, requestCount: 40 },
  };
  const openLoop = { profiling: { rate: 300, pattern: 'poisson', requestCount: 60 } } as const;
  const limitedOpenLoop = {
    profiling: { rate: 300, pattern: 'gamma', smoothness: 2, concurrency: 3, requestCount: 60 },
  } as const;

  test.each<[string, Pick<LoadDescription, 'warmup' | 'profiling'>, readonly number[]]>([
    ['closed loop', closedLoop, [1, 3]],
    ['limited number of sessions', { profiling: { concurrency: 5, sessionCount: 17 } }, [2]],
    ['fewer slots than threads', { profiling: { concurrency: 1, requestCount: 6 } }, [3]],
    [
      'a concurrency ramp longer than the phase',
      { profiling: { concurrency: 8, concurrencyRampS: 600, requestCount: 6 } },
      [2],
    ],
    ['open loop', openLoop, [3]],
    ['open loop with a concurrency limit', limitedOpenLoop, [2]],
    ['a rate ramp', { profiling: { rate: 300, rateRampS: 0.2, requestCount: 40 } }, [2]],
  ])('%s', async (_, phases, workerCounts) => {
    const { url } = await startSimulator();
    const singleThread = await runWorkers(0, url, { ...phases, keepText: true });
    for (const workers of workerCounts) {
      const { records, summary, events } = await runWorkers(workers, url, { ...phases, keepText: true });
      expect(records.map(formatRequest).sort()).toEqual(singleThread.records.map(formatRequest).sort());
      expect(summary.phases.map(formatCounts)).toEqual(singleThread.summary.phases.map(formatCounts));
      expect(events.map(formatEvent)).toEqual(singleThread.events.map(formatEvent));
      expect(summary).toMatchObject({ workers, lostWorkers: [], wasCancelled: false });
      if (phases.profiling.rate !== undefined) {
        expect(listTimes(records, summary)).toEqual(listTimes(singleThread.records, singleThread.summary));
        const workerIds = new Set(records.map(({ workerId }) => workerId));
        expect([...workerIds].sort()).toEqual(Array.from({ length: workers }, (_, n) => `worker_${n}`));
      }
      for (const phase of ['warmup', 'profiling']) {
        const indices = records.filter(record => record.phase === phase).map(({ index }) => index);
        expect(indices.sort((a, b) => a - b)).toEqual(indices.map((_, number) => number));
      }
    }
  });

  test('sends all turns of a scheduled conversation from the same thread', async () => {
    const { url } = await startSimulator();
    const path = writeJsonl(
      ...Array.from({ length: 9 }, (_, n) => ({
        session_id: `s${n}`,
        timestamp: 15 * n,
        turns: [
          { text: `a${n}`, output_length: 3 },
          { text: `b${n}`, delay: 5, output_length: 3 },
        ],
      })),
    );
    const { records, summary } = await runWorkers(2, url, {
      inputs: { kind: 'file', path },
      profiling: { fixedSchedule: true },
    });
    expect(records.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(summary.phases).toMatchObject([{ sent: 18, succeeded: 18, sessions: 9, stopReason: 'schedule' }]);
    const firstTurns = records.filter(({ turn }) => turn === 0);
    const { startNs } = summary.phases[0]!;
    for (const { session, conversationId, intendedNs } of firstTurns) {
      expect(conversationId).toBe(`s${session}`);
      expect(intendedNs - startNs).toBe(15e6 * session);
    }
    for (const record of records.filter(({ turn }) => turn === 1)) {
      const firstTurn = firstTurns.find(({ session }) => session === record.session)!;
      expect(record).toMatchObject({ workerId: firstTurn.workerId, correlationId: firstTurn.correlationId });
      expect(record.workerId).toBe(`worker_${record.session % 2}`);
    }
  });
});

test.each<[string, LoadDescription['profiling'], number]>([
  ['limited by requests', { concurrency: 5, requestCount: 31 }, 31],
  ['limited by sessions', { rate: 300, concurrency: 4, sessionCount: 9 }, 27],
])('sends sessions of several turns, %s', async (_, profiling, sent) => {
  const { url } = await startSimulator();
  const { records, summary } = await runWorkers(3, url, {
    inputs: {
      kind: 'synthetic',
      seed: 1,
      inputTokens: { mean: 9 },
      outputTokens: { mean: 3 },
      turns: { mean: 3 },
    },
    profiling,
  });
  expect(summary.phases).toMatchObject([{ sent, succeeded: sent }]);
  const sessions = new Set(records.map(({ session }) => session));
  for (const number of sessions) {
    const turns = records.filter(({ session }) => session === number);
    expect(turns.map(({ turn }) => turn)).toEqual(turns.map((_, turn) => turn));
    expect(new Set(turns.map(({ workerId }) => workerId)).size).toBe(1);
  }
  expect(summary.phases[0]!.sessions).toBe(sessions.size);
});

test('sends as many concurrent requests as there are slots, and never more', async () => {
  let active = 0;
  let max = 0;
  const { url } = await startRawServer(socket => {
    active += 1;
    max = Math.max(max, active);
    setTimeout(() => {
      active -= 1;
      socket.write(formatHead());
      socket.write(formatChunk(formatChatEvent('a') + DONE));
      socket.write(END);
    }, 20);
  });
  const { summary } = await runWorkers(3, url, {
    profiling: { rate: 400, pattern: 'constant', concurrency: 4, requestCount: 80 },
  });
  expect(summary.phases).toMatchObject([{ sent: 80, succeeded: 80, stopReason: 'requests' }]);
  expect(max).toBe(4);
});

describe('invalid options are rejected before any request is sent', () => {
  const target = { urls: ['http://localhost:1'], model: MODEL, streaming: true };
  const profiling = { concurrency: 1, requestCount: 1 };
  // If one of two threads rejects its options, the other thread is terminated.
  test.each([
    ['0 workers', { workers: 0 }, RangeError, 'workers is 0; expected an integer from 1 to 256'],
    ['1.5 workers', { workers: 1.5 }, RangeError, 'workers is 1.5'],
    ['a missing file', { workers: 2, inputs: { kind: 'file', path: '/nowhere.jsonl' } }, Error, 'ENOENT'],
    ['no limit', { profiling: { concurrency: 1 } }, RangeError, 'profiling would never end'],
    ['a missing tokenizer', { tokenizer: '/nowhere.json' }, Error, 'invalid tokenizer "/nowhere.json"'],
    [
      'an unsupported URL',
      { target: { ...target, urls: ['ftp://x'] } },
      RangeError,
      'expected http:// or https://',
    ],
  ] as const)('%s', async (_, invalidOptions, errorType, message) => {
    const options = { workers: 1, clock, target, profiling, inputs: SYNTHETIC, ...invalidOptions };
    const opening = openWorkers(options as Parameters<typeof openWorkers>[0]);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toBeInstanceOf(errorType);
  });
});

test('counts tokens in each thread', async () => {
  const { url } = await startSimulator();
  const path = writeTempFile('tokenizer.json', JSON.stringify(WORD_TOKENIZER));
  const workers = await openWorkers({
    workers: 2,
    clock,
    tokenizer: path,
    inputs: { kind: 'file', path: writeJsonl({ text: 'the batch waits.' }) },
    target: {
      urls: [url],
      model: MODEL,
      streaming: true,
      extraInputs: { ignore_eos: true, max_completion_tokens: 5 },
    },
    profiling: { concurrency: 4, requestCount: 10 },
  });
  onTestFinished(() => workers.close());
  const records: RequestRecord[] = [];
  const summary = await workers.start({ onRecord: record => records.push(record) }).finished;
  expect([workers.tokenizer, summary.tokenizer]).toEqual([path, path]);
  expect(records).toHaveLength(10);
  for (const { arrivals, counted } of records) {
    expect(counted.input).toBe(4);
    expect(counted.output).toBeGreaterThan(0);
    expect(arrivals.timesNs).toBeInstanceOf(Float64Array);
    expect([arrivals.timesNs, arrivals.tokens, arrivals.kinds].map(({ length }) => length)).toEqual([
      5, 5, 5,
    ]);
  }
});
