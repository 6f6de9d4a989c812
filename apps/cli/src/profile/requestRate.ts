import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeSystemError } from '@org/core';
import type { PhaseOptions, RatePoint } from '@org/loadgen';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  formatOptionValue,
  type RawOptions,
  readNumber,
  readText,
} from '@org/terminal/program';

/** The range of request rates per second. */
export const RATE_RANGE = { above: 0, max: 1e6 } as const;

/** The options that set a request rate. Each run has at most one of them. */
const RATE_OPTIONS = ['request-rate', 'request-rate-series', 'user-centric-rate'] as const;

/** Reports whether an option sets a request rate, or that it is unlimited. */
export function hasRequestRate(raw: RawOptions): boolean {
  return RATE_OPTIONS.some(name => raw[name] !== undefined);
}

/** Reports whether an option sets an unlimited request rate, so that only the concurrency limits the load. */
export function isUnlimitedRate(value: unknown): boolean {
  return typeof value === 'string' && /^inf(inity)?$/i.test(value.trim());
}

/** The request rate of a phase, its changes over time, and the users that share it. */
type RequestRate = Pick<PhaseOptions, 'rate' | 'rateSeries' | 'users'>;

/**
 * Reads the request rate: constant, over time, or of users. Returns an empty object in closed loop and if it is unlimited. Throws `UsageError`
 * if an option is invalid, or if several options set a rate.
 */
export function readRequestRate(raw: RawOptions, cwd: string): RequestRate {
  const [first, second] = RATE_OPTIONS.filter(name => raw[name] !== undefined);
  if (second !== undefined)
    throw new UsageError(`cannot use both --${first} and --${second}; both set the request rate`);
  const users = readUsers(raw);
  if (first === 'user-centric-rate') return { rate: readNumber(raw, first, RATE_RANGE)!, users: users! };
  if (first === 'request-rate')
    return isUnlimitedRate(raw[first]) ? {} : { rate: readNumber(raw, first, RATE_RANGE)! };
  const file = readText(raw, 'request-rate-series', 'the path of a JSON file');
  if (file === undefined) return {};
  const rateSeries = readSeries(resolve(cwd, file));
  return { rate: rateSeries[0]!.perSecond, rateSeries };
}

/** Reads --num-users. Throws `UsageError` unless it is set together with --user-centric-rate. */
function readUsers(raw: RawOptions): number | undefined {
  const users = readNumber(raw, 'num-users', { min: 1, max: 1e6, isInteger: true });
  const isUserCentric = raw['user-centric-rate'] !== undefined;
  if (users === undefined && isUserCentric) throw new UsageError('--user-centric-rate requires --num-users');
  if (users !== undefined && !isUserCentric) throw new UsageError('--num-users requires --user-centric-rate');
  return users;
}

/** Reads the points of a file for --request-rate-series. Throws `UsageError` if the file is invalid. */
function readSeries(file: string): RatePoint[] {
  const fail = (reason: string): never => {
    throw new UsageError(`invalid --request-rate-series ${formatOptionValue(file)}: ${reason}`);
  };
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return fail(error instanceof SyntaxError ? 'not valid JSON' : describeSystemError(error));
  }
  const points = Array.isArray(document) ? document : (document as { points?: unknown } | null)?.points;
  if (!Array.isArray(points) || points.length < 2)
    return fail(
      'expected a list of at least 2 points, such as [{"time_s": 0, "qps": 5}, {"time_s": 60, "qps": 20}]',
    );
  let previous = -1;
  return points.map((point: { time_s?: unknown; qps?: unknown } | null, index) => {
    const { time_s: timeS, qps } = point ?? {};
    if (!(typeof timeS === 'number' && timeS >= 0 && timeS > previous && timeS < 1e7))
      return fail(
        `time_s of point ${index} is ${JSON.stringify(timeS)}; expected ascending numbers of at least 0`,
      );
    if (!(typeof qps === 'number' && qps > 0 && qps <= RATE_RANGE.max))
      return fail(
        `qps of point ${index} is ${JSON.stringify(qps)}; expected a number greater than 0, up to 1000000`,
      );
    previous = timeS;
    return { timeS, perSecond: qps };
  });
}

/** Throws `UsageError` if not all users could start, or if none could send a second turn. */
export function checkUsers(
  raw: RawOptions,
  { users, requestCount, sessionCount }: PhaseOptions,
  hasFile: boolean,
): void {
  if (users === undefined) return;
  const turns = readNumber(raw, 'conversation-turn-mean', { min: 1 }) ?? 1;
  if (!hasFile && turns < 2)
    throw new UsageError(
      '--user-centric-rate requires conversations of several turns; set --conversation-turn-mean to at least 2, or use --request-rate',
    );
  const limits = { 'request-count': requestCount, 'num-sessions': sessionCount };
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== undefined && limit < users)
      throw createOptionError(name, limit, `at least the number of users, ${users}`);
  }
}
