import {
  type ArrivalPattern,
  type CancellationOptions,
  findConnectionLimit,
  findMaxInFlight,
  MIN_SMOOTHNESS,
  type PhaseOptions,
} from '@org/loadgen';
import type { InputPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  omitUndefined,
  type RawOptions,
  readNumber,
  readSeconds,
  readSecondsOrInfinity,
} from '@org/terminal/program';
import { BURST } from '../options/load.ts';

import { checkUsers, isUnlimitedRate, RATE_RANGE, readRequestRate } from './requestRate.ts';

/** The load of each phase of a run, and the cancellation of requests. */
export interface LoadPhases {
  readonly profiling: PhaseOptions;
  readonly warmup?: PhaseOptions;
  readonly cancellation?: CancellationOptions;
}

const COUNT = { min: 1, isInteger: true } as const;

/** The minimum of the default of --request-count, as in AIPerf. */
const MIN_DEFAULT_REQUESTS = 10;

/** Reads the options for load, warm-up and cancellation. Throws `UsageError` if an option is invalid. */
export function readLoadPhases(
  raw: RawOptions,
  { fixedSchedule, file }: Pick<InputPlan, 'fixedSchedule' | 'file'>,
  cwd: string,
): LoadPhases {
  const profiling = readProfiling(raw, fixedSchedule, cwd);
  checkConnections('concurrency', profiling);
  checkUsers(raw, profiling, file !== undefined);
  const warmup = readWarmup(raw, profiling);
  if (warmup) checkConnections('warmup-concurrency', warmup);
  const cancellation = readCancellation(raw);
  return { profiling, ...(warmup ? { warmup } : {}), ...(cancellation ? { cancellation } : {}) };
}

function readProfiling(raw: RawOptions, fixedSchedule: boolean, cwd: string): PhaseOptions {
  const requestRate = readRequestRate(raw, cwd);
  const { rate, users } = requestRate;
  if (fixedSchedule && rate !== undefined)
    throw new UsageError(
      'cannot use both --request-rate and --fixed-schedule; both set when requests are sent',
    );
  const isClosedLoop = rate === undefined && !fixedSchedule;
  const duration = readDuration(raw);
  const grace = readSecondsOrInfinity(raw, 'benchmark-grace-period');
  if (grace !== undefined && duration === undefined)
    throw new UsageError('--benchmark-grace-period requires --benchmark-duration');
  const requestCount = readNumber(raw, 'request-count', COUNT);
  const sessions = readNumber(raw, 'num-sessions', COUNT);
  const limit = readNumber(raw, 'concurrency', COUNT);
  const concurrency =
    limit ?? (isClosedLoop ? getDefaultConcurrency(raw, { requestCount, sessions, duration }) : undefined);
  const isBounded = duration !== undefined || sessions !== undefined || fixedSchedule;
  const defaultCount = isBounded ? undefined : Math.max(MIN_DEFAULT_REQUESTS, 2 * (limit ?? 0), users ?? 0);
  const rateRamp = readSeconds(raw, 'request-rate-ramp-duration', 0);
  if (rateRamp !== undefined && rate === undefined)
    throw new UsageError('--request-rate-ramp-duration requires --request-rate');
  const concurrencyRamp = readSeconds(raw, 'concurrency-ramp-duration', 0);
  return omitUndefined({
    concurrency,
    concurrencyRampS: concurrency === undefined ? undefined : concurrencyRamp,
    ...readPrefill(raw, ['prefill-concurrency', 'prefill-concurrency-ramp-duration'], concurrency),
    ...requestRate,
    ...readArrivals(raw, 'arrival-pattern', users === undefined ? rate : undefined),
    rateRampS: rateRamp,
    fixedSchedule: fixedSchedule || undefined,
    requestCount: requestCount ?? defaultCount,
    sessionCount: sessions,
    durationS: duration,
    graceS: grace,
    failedRequestThreshold: readNumber(raw, 'failed-request-threshold', { min: 0, max: 1 }),
  });
}

/** Numbers that end a run, if they are set. */
interface RunLimits {
  readonly requestCount: number | undefined;
  readonly sessions: number | undefined;
  readonly duration: number | undefined;
}

/** Returns the concurrency of a closed loop without --concurrency: 1, or all requests if the request rate is unlimited. */
function getDefaultConcurrency(raw: RawOptions, { requestCount, sessions, duration }: RunLimits): number {
  if (!isUnlimitedRate(raw['request-rate'])) return 1;
  const all = requestCount ?? sessions ?? (duration === undefined ? MIN_DEFAULT_REQUESTS : undefined);
  if (all !== undefined) return all;
  throw new UsageError(
    '--request-rate inf requires --concurrency, --request-count or --num-sessions, which limit the requests at the same time',
  );
}

/** Reads --benchmark-duration, in seconds. Throws `UsageError` if it is not greater than 0. */
function readDuration(raw: RawOptions): number | undefined {
  const seconds = readSeconds(raw, 'benchmark-duration', 0);
  if (seconds !== 0) return seconds;
  throw createOptionError(
    'benchmark-duration',
    raw['benchmark-duration'],
    'a number of seconds greater than 0',
  );
}

/**
 * Throws `UsageError` if the concurrency of a phase needs more connections than the process may open. `name` is the
 * option that sets the concurrency.
 */
function checkConnections(name: string, phase: PhaseOptions): void {
  const limit = findConnectionLimit();
  if (phase.concurrency === undefined || findMaxInFlight(phase) <= limit) return;
  throw createOptionError(
    name,
    phase.concurrency,
    `at most ${limit}, the number of connections that this process may open`,
  );
}

/**
 * Reads the warm-up options. The load options of the warm-up default to the values of profiling. Returns
 * undefined if there is no warm-up.
 */
function readWarmup(raw: RawOptions, profiling: PhaseOptions): PhaseOptions | undefined {
  const requests = readNumber(raw, 'warmup-request-count', { min: 0, isInteger: true });
  const duration = readSeconds(raw, 'warmup-duration', 0);
  const sessions = readNumber(raw, 'num-warmup-sessions', COUNT);
  const rate = readWarmupRate(raw, profiling);
  // The default concurrency of a closed loop does not limit a warm-up with a request rate.
  const isLimited = raw.concurrency !== undefined || rate === undefined;
  const concurrency =
    readNumber(raw, 'warmup-concurrency', COUNT) ?? (isLimited ? profiling.concurrency : undefined);
  const arrivals = readArrivals(raw, 'warmup-arrival-pattern', rate);
  const grace = readSecondsOrInfinity(raw, 'warmup-grace-period') ?? Number.POSITIVE_INFINITY;
  if (!requests && !duration && sessions === undefined) return undefined;
  const load = omitUndefined({ concurrency: concurrency ?? (rate === undefined ? 1 : undefined), rate });
  return omitUndefined({
    ...load,
    ...readWarmupRamps(raw, profiling, load),
    pattern: rate === undefined ? undefined : (arrivals.pattern ?? profiling.pattern),
    smoothness: rate === undefined ? undefined : (arrivals.smoothness ?? profiling.smoothness),
    requestCount: requests || undefined,
    sessionCount: sessions,
    durationS: duration || undefined,
    graceS: grace,
  });
}

/** Reads --warmup-request-rate. Returns undefined if the warm-up has no request rate. */
function readWarmupRate(raw: RawOptions, profiling: PhaseOptions): number | undefined {
  if (isUnlimitedRate(raw['warmup-request-rate'])) return undefined;
  return readNumber(raw, 'warmup-request-rate', RATE_RANGE) ?? findSharedRate(profiling);
}

/** Returns the rate of profiling that a warm-up also has. As in AIPerf, it has no users and no rates over time. */
function findSharedRate({ rate, users, rateSeries }: PhaseOptions): number | undefined {
  return users === undefined && rateSeries === undefined ? rate : undefined;
}

/** Reads the ramps and the prefill concurrency of the warm-up, which default to the values of profiling. */
function readWarmupRamps(
  raw: RawOptions,
  profiling: PhaseOptions,
  { concurrency, rate }: Pick<PhaseOptions, 'concurrency' | 'rate'>,
): PhaseOptions {
  const names = ['warmup-prefill-concurrency', 'warmup-prefill-concurrency-ramp-duration'] as const;
  const prefill = readPrefill(raw, names, concurrency);
  const prefillConcurrency =
    prefill.prefillConcurrency ?? limitPrefill(profiling.prefillConcurrency, concurrency);
  const concurrencyRamp = readSeconds(raw, 'warmup-concurrency-ramp-duration', 0);
  const rateRamp = readSeconds(raw, 'warmup-request-rate-ramp-duration', 0);
  if (rateRamp !== undefined && rate === undefined)
    throw new UsageError(
      '--warmup-request-rate-ramp-duration requires --warmup-request-rate or --request-rate',
    );
  return omitUndefined({
    prefillConcurrency,
    prefillRampS:
      prefillConcurrency === undefined ? undefined : (prefill.prefillRampS ?? profiling.prefillRampS),
    concurrencyRampS: concurrency === undefined ? undefined : (concurrencyRamp ?? profiling.concurrencyRampS),
    rateRampS: rate === undefined ? undefined : (rateRamp ?? profiling.rateRampS),
  });
}

/** Returns the prefill concurrency of profiling, but at most the concurrency of the warm-up. */
function limitPrefill(prefill: number | undefined, concurrency: number | undefined): number | undefined {
  return prefill === undefined ? undefined : Math.min(prefill, concurrency ?? prefill);
}

/**
 * Reads the limit of requests that wait for their first token, and its ramp. Throws `UsageError` if the limit is greater
 * than the concurrency, or if responses are not streamed, so that they have no first token.
 */
function readPrefill(
  raw: RawOptions,
  [limit, ramp]: readonly [string, string],
  concurrency: number | undefined,
): Pick<PhaseOptions, 'prefillConcurrency' | 'prefillRampS'> {
  const prefillConcurrency = readNumber(raw, limit, COUNT);
  if (prefillConcurrency !== undefined && raw.streaming !== true)
    throw new UsageError(`--${limit} requires --streaming`);
  if (prefillConcurrency !== undefined && prefillConcurrency > (concurrency ?? Number.POSITIVE_INFINITY))
    throw createOptionError(limit, prefillConcurrency, `at most the concurrency, ${concurrency}`);
  return omitUndefined({ prefillConcurrency, prefillRampS: readSeconds(raw, ramp, 0) });
}

/**
 * Reads the arrival pattern and --arrival-smoothness, which implies gamma arrivals. Returns an empty object if there is
 * no request rate. Throws `UsageError` if --arrival-smoothness is set without a request rate, or with another pattern.
 */
function readArrivals(
  raw: RawOptions,
  patternOption: 'arrival-pattern' | 'warmup-arrival-pattern',
  rate: number | undefined,
): { pattern?: ArrivalPattern; smoothness?: number } {
  const smoothness = readNumber(raw, 'arrival-smoothness', { min: MIN_SMOOTHNESS });
  const isProfiling = patternOption === 'arrival-pattern';
  const defaultPattern = smoothness === undefined ? 'poisson' : 'gamma';
  const given = raw[patternOption] === BURST ? 'poisson' : raw[patternOption];
  const pattern = (given ?? (isProfiling ? defaultPattern : undefined)) as ArrivalPattern | undefined;
  if (smoothness !== undefined && isProfiling && rate === undefined)
    throw new UsageError('--arrival-smoothness requires --request-rate');
  if (rate === undefined) return {};
  if (smoothness !== undefined && isProfiling && pattern !== 'gamma')
    throw new UsageError(
      `cannot use both --arrival-smoothness and --arrival-pattern ${pattern}; expected gamma`,
    );
  return omitUndefined({ pattern, smoothness });
}

function readCancellation(raw: RawOptions): CancellationOptions | undefined {
  const percent = readNumber(raw, 'request-cancellation-rate', { min: 0, max: 100 });
  const delayS = readSeconds(raw, 'request-cancellation-delay', 0);
  if (delayS !== undefined && percent === undefined)
    throw new UsageError('--request-cancellation-delay requires --request-cancellation-rate');
  return percent === undefined ? undefined : { percent, delayS: delayS ?? 0 };
}
