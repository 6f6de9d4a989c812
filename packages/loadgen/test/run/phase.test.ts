import { describe, expect, onTestFinished, test } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import type { Conversation } from '../../src/input/conversation.ts';
import { Answer } from '../../src/response/response.ts';
import { PIECE_OUTPUT } from '../../src/response/responseContent.ts';
import type { Sending } from '../../src/run/inFlightRequest.ts';
import { Ledger } from '../../src/run/ledger.ts';
import { Phase, type PhasePlan } from '../../src/run/phase.ts';
import { Concurrency } from '../../src/schedule/concurrencyLimit.ts';

const MS = 1e6;

const conversation = (turns: number): Conversation => ({
  id: 'c',
  turns: Array.from({ length: turns }, () => ({ text: 'a' })),
});

/** Phases of several threads over one ledger, in this thread: nothing happens but what a test does. */
function phasesOf(workers: number, more: Partial<PhasePlan> & { readonly arrivalsMs?: readonly number[] }) {
  const { arrivalsMs, ...plan } = more;
  let nowMs = 0;
  const clock = new RunClock({ nowNs: () => 0n, monotonicMs: () => nowMs });
  const memory = new SharedArrayBuffer(Ledger.bytes(workers));
  new Ledger(workers, memory).reset();
  const nudges: number[] = [];
  const threads = Array.from({ length: workers }, (_, worker) => {
    const thread = {
      ledger: new Ledger(workers, memory),
      isHeld: false,
      turns: [2],
      /** What it has sent and nobody has answered, by session. */
      sent: new Map<number, () => void>(),
      /** Called when it writes a conversation. */
      onNext: () => {},
      phase: undefined as unknown as Phase,
    };
    const { ledger } = thread;
    const times = [...(arrivalsMs ?? [])];
    const arrivals = {
      next: () => {
        const time = times.shift();
        return time === undefined ? undefined : time * MS;
      },
    };
    thread.phase = new Phase(
      {
        phase: 'profiling',
        concurrency: new Concurrency(2),
        arrivals: arrivalsMs ? arrivals : undefined,
        isScheduled: false,
        requestCount: 100,
        sessionCount: 100,
        durationNs: Number.POSITIVE_INFINITY,
        graceNs: 0,
        ...plan,
      },
      clock,
      { worker, ledger, nudge: () => nudges.push(worker), isHeld: () => thread.isHeld },
      session => {
        thread.onNext();
        return conversation(thread.turns[session] ?? 1);
      },
      ({ session }, finished) => {
        const sending = { answer: new Answer(), cancelledNs: undefined, cancel: () => finish() };
        const finish = (): void => {
          sending.answer.text.push(clock.now(), PIECE_OUTPUT, 'x');
          thread.sent.delete(session.number);
          finished(sending as unknown as Sending);
        };
        thread.sent.set(session.number, finish);
        return sending as unknown as Sending;
      },
      () => {},
    );
    onTestFinished(() => thread.phase.interrupt());
    return thread;
  });
  const at = (ms: number): void => {
    nowMs = ms;
  };
  return { threads, nudges, at };
}

describe('an arrival behind an older one of another thread has the place that this one does not take', () => {
  /** Thread 0 has sent session 0, of two turns, and waits; thread 1 waits behind it, with a place free. */
  function waiting() {
    const { threads, nudges, at } = phasesOf(2, { arrivalsMs: [1, 2, 3, 4] });
    const [a, b] = threads as [(typeof threads)[0], (typeof threads)[0]];
    at(1);
    void a.phase.run(0);
    at(2);
    void b.phase.run(0);
    at(3);
    a.phase.wake();
    at(4);
    b.phase.wake();
    expect([[...a.sent.keys()], [...b.sent.keys()]]).toEqual([[0], [1]]);
    b.sent.get(1)!();
    expect([[...b.sent.keys()], nudges]).toEqual([[], [1]]);
    return { a, b, nudges };
  }

  test('it is nudged, and takes it', () => {
    const { a, b } = waiting();
    a.phase.wake();
    expect([[...a.sent.keys()], [...b.sent.keys()]]).toEqual([[0, 2], []]);
  });

  test('a session that goes on has taken the arrival', () => {
    const { a, b, nudges } = waiting();
    a.sent.get(0)!();
    expect([[...a.sent.keys()], nudges]).toEqual([[0], [1, 0]]);
    b.phase.wake();
    expect([...b.sent.keys()]).toEqual([3]);
  });

  test('the thread of the older one is held', () => {
    const { a, b, nudges } = waiting();
    a.isHeld = true;
    a.phase.wake();
    expect([[...a.sent.keys()], nudges]).toEqual([[0], [1, 0]]);
    b.phase.wake();
    expect([...b.sent.keys()]).toEqual([3]);
  });
});

test('a session whose first request another thread has made impossible was none', async () => {
  const { threads } = phasesOf(2, { requestCount: 1 });
  const [a, b] = threads as [(typeof threads)[0], (typeof threads)[0]];
  a.onNext = () => b.ledger.takeRequest(1);
  const summary = await a.phase.run(0);
  expect(summary).toMatchObject({ sent: 0, sessions: 0, stopped: 'requests' });
});

test('a phase that is cut before its beginning has no length, and none below zero', async () => {
  const { threads } = phasesOf(1, {});
  const [{ phase }] = threads as [(typeof threads)[0]];
  const running = phase.run(2 * MS);
  phase.interrupt();
  expect(await running).toMatchObject({ startNs: 2 * MS, sentNs: 2 * MS, endNs: 2 * MS, sent: 0 });
});

test('whoever takes the last session, or the last request, nudges those who wait for one', () => {
  for (const most of [{ sessionCount: 1 }, { requestCount: 1 }]) {
    const { threads, nudges } = phasesOf(3, { concurrency: new Concurrency(1), ...most });
    for (const { phase } of threads.slice(1)) void phase.run(0);
    expect(nudges).toEqual([]);
    void threads[0]!.phase.run(0);
    expect(nudges.length).toBeGreaterThan(0);
    expect(threads.map(({ sent }) => sent.size)).toEqual([1, 0, 0]);
  }
});
