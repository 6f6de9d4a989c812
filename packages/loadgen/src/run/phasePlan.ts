import { Random } from '@org/core';
import type { Inputs } from '../input/conversation.ts';
import type { PhaseName } from '../requestRecord.ts';
import type { Arrivals } from '../schedule/arrivalSchedule.ts';
import { Concurrency } from '../schedule/concurrencyLimit.ts';
import { fixedArrivals } from '../schedule/fixedSchedule.ts';
import { rateArrivals } from '../schedule/rateSchedule.ts';
import type { PhaseOptions } from './loadOptions.ts';
import type { PhasePlan } from './phase.ts';

const GRACE_S = 30;

/** What a phase does, in the terms of {@link Phase}. Throws for options that cannot be, or that do not go together. */
export function planOf(phase: PhaseName, options: PhaseOptions, inputs: Inputs, seed: number): PhasePlan {
  const { rate, fixedSchedule = false, concurrency, durationS, graceS = GRACE_S } = options;
  if (rate !== undefined && fixedSchedule)
    throw new RangeError(
      'a rate and a fixed schedule cannot both say when requests are sent; give one of them',
    );
  if (rate === undefined && !fixedSchedule && concurrency === undefined)
    throw new RangeError(
      `${phase} has neither concurrency, nor rate, nor fixedSchedule; one of them is needed`,
    );
  if (fixedSchedule && !inputs.startsMs)
    throw new RangeError('fixedSchedule needs inputs with timestamps, such as a mooncake trace');
  const requestCount = whole('requestCount', options.requestCount);
  const sessionCount = whole('sessionCount', options.sessionCount);
  const isBounded = [requestCount, sessionCount, durationS ?? Number.POSITIVE_INFINITY].some(Number.isFinite);
  if (!isBounded && inputs.size === undefined)
    throw new RangeError(`${phase} would never end; requestCount, sessionCount or durationS is needed`);
  return {
    phase,
    concurrency: new Concurrency(concurrency, options.concurrencyRampS),
    arrivals: arrivalsOf(phase, options, inputs, seed),
    isScheduled: fixedSchedule,
    requestCount,
    // Inputs that have an end are used once when nothing else is said, and a schedule is never played twice.
    sessionCount: isBounded && !fixedSchedule ? sessionCount : Math.min(sessionCount, inputs.size!),
    durationNs: 1e9 * (durationS === undefined ? Number.POSITIVE_INFINITY : above0('durationS', durationS)),
    graceNs: 1e9 * from0('graceS', graceS),
  };
}

function arrivalsOf(
  phase: PhaseName,
  { rate, pattern = 'poisson', smoothness, rateRampS, fixedSchedule }: PhaseOptions,
  inputs: Inputs,
  seed: number,
): Arrivals | undefined {
  if (fixedSchedule) return fixedArrivals(inputs.startsMs!);
  if (rate === undefined) return undefined;
  return rateArrivals(
    {
      perSecond: rate,
      pattern,
      ...(smoothness === undefined ? {} : { smoothness }),
      ...(rateRampS === undefined ? {} : { rampS: rateRampS }),
    },
    new Random(seed).fork(`arrivals of ${phase}`),
  );
}

function whole(name: string, value: number | undefined): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (!(Number.isInteger(value) && value >= 1))
    throw new RangeError(`${name} is ${value}; a whole number from 1 is accepted`);
  return value;
}

function above0(name: string, value: number): number {
  if (!(value > 0)) throw new RangeError(`${name} is ${value}; a number above 0 is accepted`);
  return value;
}

function from0(name: string, value: number): number {
  if (!(value >= 0)) throw new RangeError(`${name} is ${value}; a number from 0 is accepted`);
  return value;
}
