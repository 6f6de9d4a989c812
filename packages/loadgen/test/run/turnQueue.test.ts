import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import type { Turn } from '../../src/input/conversation.ts';
import type { PhasePlan } from '../../src/run/phasePlan.ts';
import { Session } from '../../src/run/session.ts';
import { TurnQueue } from '../../src/run/turnQueue.ts';
import { createFixedSchedule } from '../../src/schedule/arrivalSchedule.ts';
import { ConcurrencyLimit } from '../../src/schedule/concurrencyLimit.ts';
import { UserSchedule } from '../../src/schedule/userSchedule.ts';

/**
 * Creates a queue that started at 0, and a list of the turns sent. The clock is at 1000 ms; only the test
 * advances it.
 */
function createQueue({
  arrivals = false,
  isScheduled = false,
  users,
  prefill,
}: Partial<Pick<PhasePlan, 'isScheduled' | 'users' | 'prefill'>> & { arrivals?: boolean } = {}) {
  vi.useFakeTimers({
    toFake: ['performance', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'],
  });
  onTestFinished(() => void vi.useRealTimers());
  const clock = new RunClock({ nowNs: () => 0n, monotonicMs: () => performance.now() });
  vi.advanceTimersByTime(1000);
  const sent: [session: number, intendedMs: number][] = [];
  let dueCount = 0;
  const createArrivals = arrivals || isScheduled ? () => createFixedSchedule([]) : undefined;
  const plan = { createArrivals, isScheduled, users, prefill };
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
    const numbers = [queue.takeWaiting(), queue.takeWaiting()].map(turn => turn?.session.number);
    expect([numbers, queue.hasWaiting]).toEqual([[2, 1], false]);
    expect(sent).toEqual([]);
  });
});

test('with a prefill limit, a turn that is due waits with its send time', () => {
  const { queue, sent } = createQueue({ prefill: new ConcurrencyLimit(1) });
  queue.add(createSession(4, {}));
  expect([queue.takesArrivals, queue.takeWaiting()]).toMatchObject([
    false,
    { session: { number: 4 }, intendedNs: 1000e6 },
  ]);
  expect(sent).toEqual([]);
});

describe('the turns of a user', () => {
  // 5 users and 10 requests per second: a turn of each user every 500 ms.
  const users = new UserSchedule({ users: 5, perSecond: 10, averageTurns: 3, countTurns: () => 3 });
  const addTurn = (dueMs: number) => {
    const created = createQueue({ isScheduled: true, users });
    const session = createSession(1, { delayMs: 70 });
    session.dueNs = dueMs * 1e6;
    created.queue.add(session);
    return created;
  };

  test('are sent at regular intervals, regardless of their delays and responses', () => {
    const { sent } = addTurn(800);
    vi.advanceTimersByTime(299);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(sent).toEqual([[1, 1300]]);
  });

  test('continue at once after a late response', () => {
    expect(addTurn(400).sent).toEqual([[1, 1000]]);
  });
});
