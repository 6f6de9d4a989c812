import { WHOLE_RUN } from '@org/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import type { Conversation } from '../../src/input/conversation.ts';
import { ParsedResponse } from '../../src/response/response.ts';
import { PIECE_OUTPUT } from '../../src/response/responseContent.ts';
import type { InFlightRequest } from '../../src/run/inFlightRequest.ts';
import { Ledger } from '../../src/run/ledger.ts';
import type { PhaseEvent } from '../../src/run/loadOptions.ts';
import { Phase } from '../../src/run/phase.ts';
import type { PhasePlan } from '../../src/run/phasePlan.ts';
import { ConcurrencyLimit } from '../../src/schedule/concurrencyLimit.ts';
import { runLoad, sortByIndex } from '../support/load.ts';
import {
  DONE,
  END,
  formatChatEvent,
  formatChunk,
  formatHead,
  startRawServer,
  startTokenServer,
} from '../support/server.ts';

const MS = 1e6;

const createConversation = (turns: number): Conversation => ({
  id: 'c',
  turns: Array.from({ length: turns }, () => ({ text: 'a' })),
});

/** Simulates the phases of several threads in this thread, over one ledger. The test controls time and responses. */
function createPhases(
  workers: number,
  more: Partial<PhasePlan> & { readonly arrivalsMs?: readonly number[] },
) {
  const { arrivalsMs, ...plan } = more;
  let nowMs = 0;
  const clock = new RunClock({ nowNs: () => 0n, monotonicMs: () => nowMs });
  const memory = new SharedArrayBuffer(Ledger.computeBytes(workers));
  new Ledger(workers, memory).reset();
  const wakeUps: number[] = [];
  const threads = Array.from({ length: workers }, (_, worker) => {
    const thread = {
      ledger: new Ledger(workers, memory),
      isPaused: false,
      turns: [2],
      /** Requests in flight by session; calling an entry ends the request. */
      sent: new Map<number, () => void>(),
      /** Callbacks for the first token, by session. */
      firstTokens: new Map<number, () => void>(),
      /** Called when the thread reads the conversation of a session. */
      onSession: () => {},
      phase: undefined as unknown as Phase,
    };
    const { ledger } = thread;
    const createArrivals = () => {
      const times = [...(arrivalsMs ?? [])];
      return {
        next: () => {
          const time = times.shift();
          return time === undefined ? undefined : time * MS;
        },
      };
    };
    thread.phase = new Phase(
      {
        phase: 'profiling',
        shard: WHOLE_RUN,
        maxConversations: 100,
        concurrency: new ConcurrencyLimit(2),
        createArrivals: arrivalsMs ? createArrivals : undefined,
        isScheduled: false,
        prefill: undefined,
        users: undefined,
        requestCount: 100,
        sessionCount: 100,
        durationNs: Number.POSITIVE_INFINITY,
        graceNs: 0,
        failureThreshold: undefined,
        ...plan,
      },
      clock,
      { worker, ledger, wakeOthers: () => wakeUps.push(worker), isPaused: () => thread.isPaused },
      {
        getConversation: session => {
          thread.onSession();
          return createConversation(thread.turns[session] ?? 1);
        },
        send: ({ session }, onEnd, onFirstToken) => {
          if (onFirstToken) thread.firstTokens.set(session.number, onFirstToken);
          const exchange = { status: 200 };
          const request = {
            response: new ParsedResponse(),
            exchange,
            outcome: 'succeeded',
            cancel: () => finish(),
          };
          const finish = (): void => {
            request.response.content.push(clock.nowNs(), PIECE_OUTPUT, 'x');
            thread.sent.delete(session.number);
            onEnd(request as unknown as InFlightRequest);
          };
          thread.sent.set(session.number, finish);
          return request as unknown as InFlightRequest;
        },
        onAllSent: () => {},
      },
    );
    onTestFinished(() => thread.phase.interrupt());
    return thread;
  });
  const setTime = (ms: number): void => {
    nowMs = ms;
  };
  return { threads, wakeUps, setTime };
}

describe('a free slot with waiting arrivals in two threads', () => {
  /**
   * Creates two threads that wait for a slot. Thread 0 has sent the first turn of session 0. A slot is free,
   * but thread 1 waits for the older arrival of thread 0.
   */
  function createWaitingThreads() {
    const { threads, wakeUps, setTime } = createPhases(2, { arrivalsMs: [1, 2, 3, 4] });
    const [a, b] = threads as [(typeof threads)[0], (typeof threads)[0]];
    setTime(1);
    void a.phase.run(0);
    setTime(2);
    void b.phase.run(0);
    setTime(3);
    a.phase.wake();
    setTime(4);
    b.phase.wake();
    expect([[...a.sent.keys()], [...b.sent.keys()]]).toEqual([[0], [1]]);
    b.sent.get(1)!();
    expect([[...b.sent.keys()], wakeUps]).toEqual([[], [1]]);
    return { a, b, wakeUps };
  }

  test('goes to the older arrival after a wake-up', () => {
    const { a, b } = createWaitingThreads();
    a.phase.wake();
    expect([[...a.sent.keys()], [...b.sent.keys()]]).toEqual([[0, 2], []]);
  });

  test('goes to the younger arrival if the thread of the older arrival continues a session', () => {
    const { a, b, wakeUps } = createWaitingThreads();
    a.sent.get(0)!();
    expect([[...a.sent.keys()], wakeUps]).toEqual([[0], [1, 0]]);
    b.phase.wake();
    expect([...b.sent.keys()]).toEqual([3]);
  });

  test('goes to the younger arrival if the thread of the older arrival is paused', () => {
    const { a, b, wakeUps } = createWaitingThreads();
    a.isPaused = true;
    a.phase.wake();
    expect([[...a.sent.keys()], wakeUps]).toEqual([[0], [1, 0]]);
    b.phase.wake();
    expect([...b.sent.keys()]).toEqual([3]);
  });
});

describe('a prefill limit', () => {
  const limits = { concurrency: new ConcurrencyLimit(4), prefill: new ConcurrencyLimit(1) };

  test('sends a request after the first token of the request before, not after its end', async () => {
    const { threads } = createPhases(1, { ...limits, requestCount: 4 });
    const [thread] = threads as [(typeof threads)[0]];
    const { phase, sent, firstTokens } = thread;
    thread.turns = [1];
    void phase.run(0);
    expect([...sent.keys()]).toEqual([0]);
    firstTokens.get(0)!();
    await expect.poll(() => [...sent.keys()]).toEqual([0, 1]);
    // The end of a request after its first token frees no further slot.
    sent.get(0)!();
    expect([...sent.keys()]).toEqual([1]);
    // Without a first token, such as for an error, the end of the request frees its slot.
    sent.get(1)!();
    expect([...sent.keys()]).toEqual([2]);
  });

  test('delays later turns, which are sent before new sessions', async () => {
    const { threads } = createPhases(1, { ...limits, requestCount: 4 });
    const [{ phase, sent, firstTokens }] = threads as [(typeof threads)[0]];
    void phase.run(0);
    firstTokens.get(0)!();
    await expect.poll(() => [...sent.keys()]).toEqual([0, 1]);
    // Session 0 continues with its second turn as soon as session 1 has its first token.
    sent.get(0)!();
    expect([...sent.keys()]).toEqual([1]);
    firstTokens.get(1)!();
    await expect.poll(() => [...sent.keys()]).toEqual([1, 0]);
  });

  test('applies to all threads together, and wakes a thread that waits', () => {
    const { threads, wakeUps } = createPhases(2, limits);
    const [a, b] = threads as [(typeof threads)[0], (typeof threads)[0]];
    void a.phase.run(0);
    void b.phase.run(0);
    expect([[...a.sent.keys()], [...b.sent.keys()], wakeUps]).toEqual([[0], [], []]);
    a.firstTokens.get(0)!();
    expect(wakeUps).toEqual([0]);
    b.phase.wake();
    expect([...b.sent.keys()]).toEqual([1]);
  });

  test('rises with its ramp', async () => {
    const { threads, setTime } = createPhases(1, { ...limits, prefill: new ConcurrencyLimit(3, 0.02) });
    const [{ phase, sent }] = threads as [(typeof threads)[0]];
    void phase.run(0);
    const counts = [0, 9, 10, 19, 20].map(ms => {
      setTime(ms);
      phase.wake();
      return sent.size;
    });
    expect(counts).toEqual([1, 1, 2, 2, 3]);
  });
});

test('does not count a session without a request', async () => {
  const { threads } = createPhases(2, { requestCount: 1 });
  const [a, b] = threads as [(typeof threads)[0], (typeof threads)[0]];
  a.onSession = () => b.ledger.takeRequest(1);
  const summary = await a.phase.run(0);
  expect(summary).toMatchObject({ sent: 0, sessions: 0, stopReason: 'requests' });
});

test('a phase that is interrupted before its start has no duration', async () => {
  const { threads } = createPhases(1, {});
  const [{ phase }] = threads as [(typeof threads)[0]];
  const running = phase.run(2 * MS);
  phase.interrupt();
  expect(await running).toMatchObject({ startNs: 2 * MS, sentNs: 2 * MS, endNs: 2 * MS, sent: 0 });
});

test('wakes other threads after the last session or the last request', () => {
  for (const limit of [{ sessionCount: 1 }, { requestCount: 1 }]) {
    const { threads, wakeUps } = createPhases(3, { concurrency: new ConcurrencyLimit(1), ...limit });
    for (const { phase } of threads.slice(1)) void phase.run(0);
    expect(wakeUps).toEqual([]);
    void threads[0]!.phase.run(0);
    expect(wakeUps.length).toBeGreaterThan(0);
    expect(threads.map(({ sent }) => sent.size)).toEqual([1, 0, 0]);
  }
});

describe('phases of a run', () => {
  test('the warm-up has separate records and prompts', async () => {
    const { url, received } = await startTokenServer();
    const events: PhaseEvent[] = [];
    const { records, summary } = await runLoad(url, {
      warmup: { concurrency: 1, requestCount: 3 },
      profiling: { concurrency: 2, requestCount: 5 },
      onPhase: event => events.push(event),
    });
    expect(records.map(({ phase }) => phase)).toEqual([
      ...Array(3).fill('warmup'),
      ...Array(5).fill('profiling'),
    ]);
    expect(records.map(({ index }) => index).slice(0, 3)).toEqual([0, 1, 2]);
    expect(new Set(received.map(({ body }) => body)).size).toBe(8);
    expect(events.map(({ phase, kind }) => `${phase} ${kind}`)).toEqual(
      ['warmup', 'profiling'].flatMap(phase => ['started', 'sent', 'ended'].map(kind => `${phase} ${kind}`)),
    );
    expect(summary.phases.map(({ sent }) => sent)).toEqual([3, 5]);
    expect(summary.phases[1]!.startNs).toBeGreaterThanOrEqual(summary.phases[0]!.endNs);
  });

  test('sending ends after the duration, and requests in flight are cancelled after the grace period', async () => {
    const { url } = await startRawServer(socket =>
      socket.write(formatHead() + formatChunk(formatChatEvent('a'))),
    );
    const { records, summary } = await runLoad(url, {
      profiling: { concurrency: 3, durationS: 0.6, graceS: 0.6 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 3, failed: 0, cancelled: 3, stopReason: 'duration' });
    for (const { cancelled, failure, arrivals } of records) {
      expect([cancelled, failure?.type, failure?.code, arrivals.pieces]).toEqual([
        true,
        'Interrupted',
        499,
        1,
      ]);
    }
    const { startNs, sentNs, endNs } = summary.phases[0]!;
    expect(sentNs - startNs).toBeGreaterThan(480e6);
    expect(endNs - sentNs).toBeGreaterThan(480e6);
    expect(summary.wasCancelled).toBe(false);
  });

  test('a phase ends before the grace period if no request is in flight', async () => {
    const { url } = await startTokenServer();
    const { summary } = await runLoad(url, { profiling: { concurrency: 1, durationS: 0.1, graceS: 100 } });
    expect(summary.phases[0]).toMatchObject({ failed: 0, stopReason: 'duration' });
    expect(summary.phases[0]!.succeeded).toBeGreaterThan(0);
  });

  test('an interrupted run keeps all records and marks requests in flight as interrupted', async () => {
    let requests = 0;
    const { url } = await startRawServer(socket => {
      socket.write(formatHead() + formatChunk(formatChatEvent('a')));
      requests += 1;
      if (requests <= 2) socket.write(formatChunk(DONE) + END);
      if (requests === 5) setTimeout(() => controller.abort(), 20);
    });
    const controller = new AbortController();
    const { records, summary } = await runLoad(url, {
      signal: controller.signal,
      profiling: { concurrency: 3, requestCount: 100 },
    });
    expect(summary).toMatchObject({
      wasCancelled: true,
      phases: [{ sent: 5, succeeded: 2, failed: 0, cancelled: 3, stopReason: 'interrupted' }],
    });
    expect(sortByIndex(records).map(({ failure }) => failure?.type)).toEqual([
      undefined,
      undefined,
      'Interrupted',
      'Interrupted',
      'Interrupted',
    ]);
  });

  test('a run that is interrupted before its start sends no requests', async () => {
    const { url, received } = await startTokenServer();
    const { summary } = await runLoad(url, { signal: AbortSignal.abort() });
    expect([summary.wasCancelled, summary.phases, received]).toEqual([true, [], []]);
  });
});
