import { describe, expect, test } from 'vitest';
import { UserSchedule, type UserSession } from '../../src/schedule/userSchedule.ts';

const take = (schedule: UserSchedule, count: number): UserSession[] =>
  Array.from({ length: count }, (_, index) => schedule.get(index));

/** The example in the documentation of AIPerf's scheduler: 15 users with 20 turns at one request per second. */
const EXAMPLE = [20, 6, 11, 16, 2, 7, 12, 17, 3, 8, 13, 18, 4, 9, 14];

test('15 users start in the order and with the turns of AIPerf', () => {
  const schedule = new UserSchedule({ users: 15, perSecond: 1, averageTurns: 20, countTurns: () => 20 });
  const sessions = take(schedule, 15);
  expect(sessions.map(({ startS, turns }) => [startS, turns])).toEqual(
    EXAMPLE.map((turns, second) => [second, turns]),
  );
  expect(sessions[0]!.conversation).toBe(14);
  expect(sessions.map(({ conversation }) => conversation).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 15 }, (_, index) => index),
  );
});

test('a new user replaces each user after its last turn', () => {
  const schedule = new UserSchedule({ users: 15, perSecond: 1, averageTurns: 20, countTurns: () => 20 });
  // The user that starts at 4 s has 2 turns, 15 s apart; the one at 8 s has 3.
  expect(take(schedule, 17).slice(15)).toEqual([
    { startS: 4 + 2 * 15, conversation: 15, turns: 20 },
    { startS: 8 + 3 * 15, conversation: 16, turns: 20 },
  ]);
});

describe('all users together', () => {
  test.each([
    [4, 10, 3],
    [15, 1, 20],
    [6, 2, 4],
    [1, 5, 2],
    [2, 8, 7],
  ])('%d users send %d requests per second, one at a time, with %d turns', (users, perSecond, turns) => {
    const schedule = new UserSchedule({ users, perSecond, averageTurns: turns, countTurns: () => turns });
    const sends = take(schedule, 40).flatMap(session =>
      Array.from({ length: session.turns }, (_, turn) => session.startS + turn * schedule.gapS),
    );
    const lastStart = schedule.get(39).startS;
    const slots = sends.filter(second => second < lastStart).map(second => Math.round(second * perSecond));
    expect(slots.toSorted((a, b) => a - b)).toEqual(slots.map((_, slot) => slot));
  });
});

test('users keep their intervals if conversations have different numbers of turns', () => {
  const countTurns = (conversation: number): number => 2 + (conversation % 3);
  const schedule = new UserSchedule({ users: 3, perSecond: 6, averageTurns: 3, countTurns });
  const starts = take(schedule, 30).map(({ startS }) => startS);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect(
    take(schedule, 30)
      .slice(3)
      .map(({ conversation, turns }) => turns - countTurns(conversation)),
  ).toEqual(Array(27).fill(0));
});
