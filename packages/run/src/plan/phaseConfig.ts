import type { CancellationOptions, PhaseOptions } from '@org/loadgen';
import { type ConfigFields as Fields, omitMissing } from './configFields.ts';
import type { InputPlan, ProfilePlan } from './profilePlan.ts';

/** Returns the phases of the load in AIPerf's shape. */
export function toPhases({ warmup, profiling, inputs, cancellation }: ProfilePlan): Fields[] {
  return [
    ...(warmup
      ? [
          {
            name: 'warmup',
            kind: 'warmup',
            type: getPhaseType(warmup),
            exclude_from_results: true,
            ...toPhase(warmup, inputs),
          },
        ]
      : []),
    {
      name: 'profiling',
      kind: 'profiling',
      type: getPhaseType(profiling),
      ...toPhase(profiling, inputs, cancellation),
    },
  ];
}

function toPhase(phase: PhaseOptions, inputs: InputPlan, cancellation?: CancellationOptions): Fields {
  const { concurrency, concurrencyRampS, requestCount, sessionCount, durationS, graceS } = phase;
  return {
    ...omitMissing({
      requests: requestCount,
      sessions: sessionCount,
      duration: durationS,
      concurrency,
      concurrency_ramp: toRamp(concurrencyRampS),
      prefill_concurrency: phase.prefillConcurrency,
      prefill_ramp: toRamp(phase.prefillRampS),
      // AIPerf accepts a grace period only after a duration.
      grace_period: durationS === undefined ? undefined : toGracePeriod(graceS),
      cancellation: cancellation && { rate: cancellation.percent, delay: cancellation.delayS ?? 0 },
      failed_request_threshold: phase.failedRequestThreshold,
      rate: phase.rateSeries === undefined ? phase.rate : undefined,
      rate_series: phase.rateSeries && {
        points: phase.rateSeries.map(({ timeS, perSecond }) => ({ time_s: timeS, qps: perSecond })),
      },
      users: phase.users,
      rate_ramp: toRamp(phase.rateRampS),
      smoothness: phase.pattern === 'gamma' ? phase.smoothness : undefined,
    }),
    ...(phase.fixedSchedule ? toScheduleWindow(inputs) : {}),
  };
}

function toGracePeriod(seconds: number | undefined): number | string | undefined {
  return seconds === Number.POSITIVE_INFINITY ? 'inf' : seconds;
}

function getPhaseType({ fixedSchedule, rate, users, pattern = 'poisson' }: PhaseOptions): string {
  if (fixedSchedule) return 'fixed_schedule';
  if (users !== undefined) return 'user_centric';
  return rate === undefined ? 'concurrency' : pattern;
}

function toRamp(seconds: number | undefined): Fields | undefined {
  return seconds === undefined ? undefined : { duration: seconds };
}

/** Returns the part of a schedule to replay. Without a start, it is replayed from its first timestamp. */
function toScheduleWindow({ startMs, endMs }: InputPlan): Fields {
  return {
    auto_offset: startMs === undefined,
    ...omitMissing({ start_offset: startMs, end_offset: endMs }),
  };
}
