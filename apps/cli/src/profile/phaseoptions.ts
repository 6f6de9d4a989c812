import type { ArrivalPattern, CancellationOptions, PhaseOptions } from '@org/loadgen';
import { UsageError } from '@org/terminal';
import { type RawOptions, singleValue } from '../optionvalue.ts';
import { numberValue, patienceValue } from './numbervalue.ts';

/** How requests are sent in the phases of a run. */
export interface LoadPhases {
  readonly profiling: PhaseOptions;
  readonly warmup?: PhaseOptions;
  readonly cancellation?: CancellationOptions;
}

const COUNT = { least: 1, whole: true } as const;
const RATE = { above: 0, most: 1e6 } as const;
const SECONDS = { above: 0, unit: 'seconds' } as const;
/** Reference, section C: `--request-count`. */
const LEAST_REQUESTS = 10;

/** Reads the options of load and warm-up. Throws `UsageError`. */
export function readPhases(raw: RawOptions, fixedSchedule: boolean): LoadPhases {
  const profiling = profilingOf(raw, fixedSchedule);
  const warmup = warmupOf(raw, profiling);
  const cancellation = cancellationOf(raw);
  return { profiling, ...(warmup ? { warmup } : {}), ...(cancellation ? { cancellation } : {}) };
}

function profilingOf(raw: RawOptions, fixedSchedule: boolean): PhaseOptions {
  const rate = numberValue(raw, 'request-rate', RATE);
  if (fixedSchedule && rate !== undefined)
    throw new UsageError(
      'cannot use both --request-rate and --fixed-schedule; one of them says when to send',
    );
  const given = numberValue(raw, 'concurrency', COUNT);
  const concurrency = given ?? (rate === undefined && !fixedSchedule ? 1 : undefined);
  const duration = numberValue(raw, 'benchmark-duration', SECONDS);
  const grace = patienceValue(raw, 'benchmark-grace-period');
  if (grace !== undefined && duration === undefined)
    throw new UsageError('--benchmark-grace-period needs --benchmark-duration');
  const sessions = numberValue(raw, 'num-sessions', COUNT);
  const isBounded = duration !== undefined || sessions !== undefined || fixedSchedule;
  const least = isBounded ? undefined : Math.max(LEAST_REQUESTS, 2 * (concurrency ?? 0));
  const rateRamp = numberValue(raw, 'request-rate-ramp-duration', { least: 0, unit: 'seconds' });
  if (rateRamp !== undefined && rate === undefined)
    throw new UsageError('--request-rate-ramp-duration needs --request-rate');
  const ramp = numberValue(raw, 'concurrency-ramp-duration', { least: 0, unit: 'seconds' });
  if (ramp !== undefined && concurrency === undefined)
    throw new UsageError('--concurrency-ramp-duration needs --concurrency');
  return defined({
    concurrency,
    concurrencyRampS: ramp,
    rate,
    ...patternOf(raw, 'arrival-pattern', rate),
    rateRampS: rateRamp,
    fixedSchedule: fixedSchedule || undefined,
    requestCount: numberValue(raw, 'request-count', COUNT) ?? least,
    sessionCount: sessions,
    durationS: duration,
    graceS: grace,
  });
}

/** What is not said of the warm-up is as later. */
function warmupOf(raw: RawOptions, profiling: PhaseOptions): PhaseOptions | undefined {
  const requests = numberValue(raw, 'warmup-request-count', { least: 0, whole: true });
  const duration = numberValue(raw, 'warmup-duration', { least: 0, unit: 'seconds' });
  const rate = numberValue(raw, 'warmup-request-rate', RATE) ?? profiling.rate;
  const given = numberValue(raw, 'warmup-concurrency', COUNT) ?? profiling.concurrency;
  const pattern = patternOf(raw, 'warmup-arrival-pattern', rate);
  const grace = patienceValue(raw, 'warmup-grace-period') ?? Number.POSITIVE_INFINITY;
  if (requests === undefined && duration === undefined) checkLost(raw);
  if (!requests && !duration) return undefined;
  return defined({
    concurrency: given ?? (rate === undefined ? 1 : undefined),
    rate,
    pattern: pattern.pattern ?? profiling.pattern,
    smoothness: pattern.smoothness ?? profiling.smoothness,
    requestCount: requests || undefined,
    durationS: duration || undefined,
    graceS: grace,
  });
}

/** What is said of a warm-up that is none must not be without effect. */
function checkLost(raw: RawOptions): void {
  const lost = WARMUP_ONLY.find(name => raw[name] !== undefined);
  if (lost === undefined) return;
  throw new UsageError(`--${lost} needs a warm-up: --warmup-request-count or --warmup-duration`);
}

const WARMUP_ONLY = [
  'warmup-concurrency',
  'warmup-request-rate',
  'warmup-arrival-pattern',
  'warmup-grace-period',
] as const;

function patternOf(
  raw: RawOptions,
  name: string,
  rate: number | undefined,
): { pattern?: ArrivalPattern; smoothness?: number } {
  const smoothness = numberValue(raw, 'arrival-smoothness', { above: 0 });
  const pattern = singleValue(raw, name) as ArrivalPattern | undefined;
  if (smoothness !== undefined && rate === undefined)
    throw new UsageError('--arrival-smoothness needs --request-rate');
  if (rate === undefined) return {};
  if (smoothness !== undefined && name === 'arrival-pattern' && pattern !== 'gamma')
    throw new UsageError(`--arrival-smoothness is the shape of --arrival-pattern gamma, which is ${pattern}`);
  return defined({ pattern, smoothness });
}

function cancellationOf(raw: RawOptions): CancellationOptions | undefined {
  const percent = numberValue(raw, 'request-cancellation-rate', { least: 0, most: 100, unit: 'percent' });
  const delayS = numberValue(raw, 'request-cancellation-delay', { least: 0, unit: 'seconds' });
  if (delayS !== undefined && percent === undefined)
    throw new UsageError('--request-cancellation-delay needs --request-cancellation-rate');
  return percent === undefined ? undefined : { percent, delayS: delayS ?? 0 };
}

/** Without the fields that are undefined. */
function defined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
