/** The conversation of a user: when it starts, and how much of it is sent. */
export interface UserSession {
  /** Start time, in seconds since the start of the phase. */
  readonly startS: number;
  /** Index of the conversation. */
  readonly conversation: number;
  /** Number of turns to send. */
  readonly turns: number;
}

/** Options of {@link UserSchedule}. */
export interface UserScheduleOptions {
  readonly users: number;
  /** Requests per second of all users together. */
  readonly perSecond: number;
  /** Mean number of turns of the conversations. */
  readonly averageTurns: number;
  /** Returns the number of turns of a conversation. */
  readonly countTurns: (conversation: number) => number;
}

/**
 * The sessions of users that each send a request every `users / perSecond` seconds. As in AIPerf, the load is in a steady
 * state from the start: all users except for the one that starts at 0 are in the middle of a session, so that they send
 * fewer turns. A new user starts when the last turn of a user and one more interval are over. Start times do not depend
 * on responses.
 */
export class UserSchedule {
  /** Time between the turns of a user, in seconds. */
  readonly gapS: number;
  /** Requests per second of all users together. */
  readonly perSecond: number;
  readonly #countTurns: (conversation: number) => number;
  /** Sessions in the order of their start times. */
  readonly #sessions: UserSession[];
  /** Start times of the next users, ascending: at most one for each user. */
  readonly #nextStarts: number[];
  #conversations: number;

  constructor({ users, perSecond, averageTurns, countTurns }: UserScheduleOptions) {
    this.gapS = users / perSecond;
    this.perSecond = perSecond;
    this.#countTurns = countTurns;
    const running = planRunningUsers(users, Math.max(1, Math.round(averageTurns) - 1));
    const first = { order: 0, turns: countTurns(running.length) };
    this.#conversations = running.length + 1;
    this.#sessions = [...running, first]
      .map(({ order, turns }, conversation) => ({ startS: order / perSecond, conversation, turns }))
      .sort((a, b) => a.startS - b.startS);
    this.#nextStarts = this.#sessions.map(session => this.#findEnd(session)).sort((a, b) => a - b);
  }

  /** Returns a session by its position from 0 in the order of the start times. */
  get(index: number): UserSession {
    while (this.#sessions.length <= index) this.#addNext();
    return this.#sessions[index]!;
  }

  #addNext(): void {
    const startS = this.#nextStarts.shift()!;
    const conversation = this.#conversations++;
    const session = { startS, conversation, turns: this.#countTurns(conversation) };
    this.#sessions.push(session);
    const end = this.#findEnd(session);
    const earlier = this.#nextStarts.findLastIndex(other => other <= end);
    this.#nextStarts.splice(earlier + 1, 0, end);
  }

  #findEnd({ startS, turns }: UserSession): number {
    return startS + turns * this.gapS;
  }
}

/** A user that is in the middle of a session: its position in the order of first requests, and its remaining turns. */
interface RunningUser {
  readonly order: number;
  readonly turns: number;
}

/**
 * Plans the users that are in the middle of a session of `lifetime` intervals. Their ages are spread evenly, and the
 * order of their first requests mixes the ages. The oldest user has ended its session, and is omitted.
 */
function planRunningUsers(users: number, lifetime: number): RunningUser[] {
  const step = findDivisor(users, lifetime) > 1 ? findStep(users) : undefined;
  return Array.from({ length: users - 1 }, (_, index) => {
    const user = index + 1;
    const age = (users - user) * lifetime;
    const slot = step === undefined ? age % users : (user * step) % users;
    return { order: users - slot, turns: lifetime - Math.floor(age / users) };
  }).filter(({ turns }) => turns > 0);
}

/** Returns the smallest step of at least 2 that visits all positions of a circle of `count`, or else 1. */
function findStep(count: number): number {
  for (let step = 2; step < count; step++) if (findDivisor(count, step) === 1) return step;
  return 1;
}

/** Returns the greatest common divisor. */
function findDivisor(a: number, b: number): number {
  return b === 0 ? a : findDivisor(b, a % b);
}
