import { countShare, formatShard, isShard, MAX_SHARDS, Random, type Shard, WHOLE_RUN } from '@org/core';
import { findConnectionLimit } from '../http/fileDescriptors.ts';
import type { Inputs } from '../input/conversation.ts';
import type { PhaseName } from '../requestRecord.ts';
import {
  type ArrivalSchedule,
  createFixedSchedule,
  createListedSchedule,
  createRateSchedule,
} from '../schedule/arrivalSchedule.ts';
import { ConcurrencyLimit } from '../schedule/concurrencyLimit.ts';
import { countUserRequests, selectArrivals } from '../schedule/shardedSchedule.ts';
import { UserSchedule } from '../schedule/userSchedule.ts';
import { createFailureThreshold, type FailureThreshold } from './failureThreshold.ts';
import type { PhaseOptions } from './loadOptions.ts';

const DEFAULT_GRACE_S = 30;
/** Maximum number of conversations of a file whose turns are counted before a run. */
const MAX_COUNTED_CONVERSATIONS = 10_000;

/** Validated options of a phase, with defaults. Numbers of requests, sessions and slots apply to the shard. */
export interface PhasePlan {
  readonly phase: PhaseName;
  /** The part of the load that is sent. */
  readonly shard: Shard;
  readonly concurrency: ConcurrencyLimit;
  /** Limit of the requests that wait for their first token; undefined without a limit. */
  readonly prefill: ConcurrencyLimit | undefined;
  /** Creates the intended send times, the same with each call; undefined in closed loop. */
  readonly createArrivals: (() => ArrivalSchedule) | undefined;
  /** True if arrivals start conversations, whose later turns are scheduled separately. */
  readonly isScheduled: boolean;
  /** The sessions of users that send requests at regular intervals; undefined without users. */
  readonly users: UserSchedule | undefined;
  /** Maximum number of requests; infinite by default. */
  readonly requestCount: number;
  /** Maximum number of sessions; by default, the number of conversations if each is used once, otherwise infinite. */
  readonly sessionCount: number;
  /** Maximum number of conversations that all shards use together. */
  readonly maxConversations: number;
  /** Infinite by default. */
  readonly durationNs: number;
  /** Time to wait for in-flight requests after `durationNs`, in ns. */
  readonly graceNs: number;
  /** Undefined without a threshold. */
  readonly failureThreshold: FailureThreshold | undefined;
}

/**
 * Creates a phase plan from options. Throws RangeError if the options are invalid or conflicting, or if the load is too
 * small for the number of shards.
 */
export function createPhasePlan(
  phase: PhaseName,
  options: PhaseOptions,
  inputs: Inputs,
  seed: number,
  shard: Shard = WHOLE_RUN,
): PhasePlan {
  const { rate, fixedSchedule = false, concurrency, durationS, graceS = DEFAULT_GRACE_S } = options;
  const { prefillConcurrency, prefillRampS } = options;
  if (rate !== undefined && fixedSchedule)
    throw new RangeError('a rate cannot be combined with a fixed schedule; set only one of them');
  if (rate === undefined && !fixedSchedule && concurrency === undefined)
    throw new RangeError(`${phase} has no load; set concurrency, rate or fixedSchedule`);
  if (fixedSchedule && !inputs.startsMs)
    throw new RangeError(
      'fixedSchedule: the inputs have no timestamps; expected, for example, a Mooncake trace',
    );
  const requestCount = checkCount('requestCount', options.requestCount);
  const sessionCount = checkCount('sessionCount', options.sessionCount);
  const isBounded = [requestCount, sessionCount, durationS ?? Number.POSITIVE_INFINITY].some(Number.isFinite);
  if (!isBounded && inputs.size === undefined)
    throw new RangeError(`${phase} would never end; set requestCount, sessionCount or durationS`);
  const users = createUserSchedule(options, inputs);
  // Without a limit, each conversation of a file is used once; a schedule is never repeated.
  const sessions = isBounded && !fixedSchedule ? sessionCount : Math.min(sessionCount, inputs.size!);
  checkShares(phase, { concurrency, prefillConcurrency, requestCount, sessions }, shard);
  const requestShare = users
    ? countUserRequests(users, { requests: requestCount, sessions }, shard)
    : countShare(requestCount, shard);
  if (requestShare === 0)
    throw new RangeError(
      `shard: shard ${formatShard(shard)} has none of the ${requestCount} requests of ${phase}; expected fewer shards or more requests`,
    );
  return {
    phase,
    shard,
    concurrency:
      concurrency === undefined
        ? // Requests of an open loop wait if the server is so slow that no more connections can be opened.
          new ConcurrencyLimit(findConnectionLimit(), options.concurrencyRampS)
        : new ConcurrencyLimit(concurrency, options.concurrencyRampS, shard),
    prefill:
      prefillConcurrency === undefined
        ? undefined
        : new ConcurrencyLimit(prefillConcurrency, prefillRampS, shard),
    createArrivals: users
      ? () =>
          selectArrivals(
            createListedSchedule(index => users.get(index).startS),
            shard,
          )
      : describeArrivals(phase, options, inputs, seed, shard),
    isScheduled: fixedSchedule || users !== undefined,
    users,
    requestCount: requestShare,
    sessionCount: countShare(sessions, shard),
    maxConversations: Math.min(requestCount, sessions),
    durationNs:
      1e9 * (durationS === undefined ? Number.POSITIVE_INFINITY : checkPositive('durationS', durationS)),
    graceNs: 1e9 * checkNotNegative('graceS', graceS),
    failureThreshold: createFailureThreshold({
      ...options,
      ...(concurrency === undefined ? {} : { concurrency: countShare(concurrency, shard) }),
    }),
  };
}

/** Throws RangeError if a shard would have no slot, no request or no conversation. */
function checkShares(
  phase: PhaseName,
  totals: Readonly<Record<'requestCount' | 'sessions', number>> &
    Readonly<Record<'concurrency' | 'prefillConcurrency', number | undefined>>,
  shard: Shard,
): void {
  if (!isShard(shard))
    throw new RangeError(
      `shard: shard is ${formatShard(shard)}; expected an index from 0 to one less than the count, and a count of at most ${MAX_SHARDS}`,
    );
  const names = {
    concurrency: 'concurrency',
    prefillConcurrency: 'prefill concurrency',
    requestCount: 'number of requests',
    sessions: 'number of conversations',
  } as const;
  for (const [key, name] of shard.count === 1 ? [] : Object.entries(names)) {
    const total = totals[key as keyof typeof names];
    if (total !== undefined && total < shard.count)
      throw new RangeError(
        `shard: the ${name} of ${phase} is ${total} for ${shard.count} shards; expected at least one for each shard`,
      );
  }
}

/** Number of conversations whose mean number of turns spreads the ages of users, if inputs are unlimited. */
const SAMPLED_CONVERSATIONS = 100;

/** Creates the schedule of users; undefined without users. Throws RangeError for invalid options. */
function createUserSchedule({ users, rate }: PhaseOptions, inputs: Inputs): UserSchedule | undefined {
  if (users === undefined) return undefined;
  if (rate === undefined) throw new RangeError(`users is ${users}, but there is no rate; set both`);
  const countTurns = (index: number): number =>
    inputs.countTurns?.(index) ?? inputs.getConversation(index).turns.length;
  const size = Math.min(inputs.size ?? SAMPLED_CONVERSATIONS, MAX_COUNTED_CONVERSATIONS);
  let turns = 0;
  for (let index = 0; index < size; index++) turns += countTurns(index);
  return new UserSchedule({
    users: checkCount('users', users),
    perSecond: checkPositive('rate', rate),
    averageTurns: turns / size,
    countTurns,
  });
}

/** Returns a function that creates the schedule. Throws RangeError for invalid options. */
function describeArrivals(
  phase: PhaseName,
  { rate, rateSeries, pattern = 'poisson', smoothness, rateRampS, fixedSchedule }: PhaseOptions,
  inputs: Inputs,
  seed: number,
  shard: Shard,
): (() => ArrivalSchedule) | undefined {
  const createAll = (): ArrivalSchedule => {
    if (fixedSchedule) return createFixedSchedule(inputs.startsMs!);
    return createRateSchedule(
      {
        perSecond: rate!,
        pattern,
        ...(smoothness === undefined ? {} : { smoothness }),
        ...(rateRampS === undefined ? {} : { rampS: rateRampS }),
        ...(rateSeries === undefined ? {} : { series: rateSeries }),
      },
      new Random(seed).fork(`arrivals of ${phase}`),
    );
  };
  if (!fixedSchedule && rate === undefined) return undefined;
  createAll();
  return () => selectArrivals(createAll(), shard);
}

function checkCount(name: string, value: number | undefined): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (!(Number.isInteger(value) && value >= 1))
    throw new RangeError(`${name} is ${value}; expected an integer of at least 1`);
  return value;
}

function checkPositive(name: string, value: number): number {
  if (!(value > 0)) throw new RangeError(`${name} is ${value}; expected a number greater than 0`);
  return value;
}

function checkNotNegative(name: string, value: number): number {
  if (!(value >= 0)) throw new RangeError(`${name} is ${value}; expected a number of at least 0`);
  return value;
}
