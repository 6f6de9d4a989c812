import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import type { Turn } from '../../src/input/conversation.ts';
import { Session } from '../../src/run/session.ts';
import { TurnQueue } from '../../src/run/turnQueue.ts';
import { createFixedSchedule } from '../../src/schedule/arrivalSchedule.ts';

/**
 * Creates a queue that started at 0, and a list of the turns sent. The clock is at 1000 ms; only the test
 * advances it.
 */
function createQueue({ arrivals = false, isScheduled = false } = {}) {
  vi.useFakeTimers({
    toFake: ['performance', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'],
  });
  onTestFinished(() => void vi.useRealTimers());
  const clock = new RunClock({ nowNs: () => 0n, monotonicMs: () => performance.now() });
  vi.advanceTimersByTime(1000);
  const sent: [session: number, intendedMs: number][] = [];
  let dueCount = 0;
  const createArrivals = arrivals || isScheduled ? () => createFixedSchedule([]) : undefined;
  const plan = { createArrivals, isScheduled };
  const queue = new TurnQueue(plan, clock, {
    send: ({ number }, intendedNs) => sent.push([number, intendedNs / 1e6]),
    onDue: () => {
      dueCount += 1;
    },
  });
  queue.start(0);
  return { queue, sent, countDue: () => dueCount };
}

function createSession(number: number, turn: Partial<Turn>): Session {
  return new Session({ id: 'c', turns: [{ text: 'a', ...turn }] }, number, 'id');
}

test('sends a turn without a delay at once', () => {
  const { queue, sent, countDue } = createQueue();
  queue.add(createSession(3, {}));
  expect([sent, countDue()]).toEqual([[[3, 1000]], 0]);
});

test('sends a turn after its delay', () => {
  const { queue, sent, countDue } = createQueue();
  queue.add(createSession(1, { delayMs: 30 }));
  queue.add(createSession(2, { delayMs: 10 }));
  vi.advanceTimersByTime(20);
  expect([sent, countDue()]).toEqual([[[2, 1010]], 1]);
  vi.advanceTimersByTime(20);
  expect([sent.at(-1), countDue()]).toEqual([[1, 1030], 2]);
});

test('drops turns that are not yet due', () => {
  const { queue, sent } = createQueue();
  queue.add(createSession(1, { delayMs: 30 }));
  queue.clear();
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([]);
});

describe('in a fixed schedule', () => {
  test('sends a turn at its time since the start of the phase', () => {
    const { queue, sent } = createQueue({ isScheduled: true });
    queue.add(createSession(1, { atMs: 1050 }));
    vi.advanceTimersByTime(100);
    expect(sent).toEqual([[1, 1050]]);
  });

  test('sends a turn late if the previous response ended late', () => {
    const { queue, sent } = createQueue({ isScheduled: true });
    queue.add(createSession(1, { atMs: 400 }));
    expect(sent).toEqual([[1, 400]]);
  });
});

describe('with a request rate', () => {
  test('a turn that is due waits for an arrival', () => {
    const { queue, sent, countDue } = createQueue({ arrivals: true });
    queue.add(createSession(1, { delayMs: 10 }));
    queue.add(createSession(2, {}));
    expect([queue.hasWaiting, countDue()]).toEqual([true, 0]);
    vi.advanceTimersByTime(20);
    expect(countDue()).toBe(1);
    expect([queue.takeWaiting()?.number, queue.takeWaiting()?.number, queue.hasWaiting]).toEqual([
      2,
      1,
      false,
    ]);
    expect(sent).toEqual([]);
  });
});
