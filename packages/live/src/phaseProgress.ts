import type { LoadProgress } from '@org/loadgen';
import type { Phase, ProfilePlan } from '@org/run';

/** The limits of a phase. */
export type PhaseLimits = Pick<ProfilePlan['profiling'], 'requestCount' | 'durationS'>;

/** The progress of a stage of a run. */
export interface StageProgress {
  readonly name: Phase;
  /** Seconds since the start of the stage. */
  readonly seconds: number;
  /** The completed fraction of the stage; undefined if the stage has no limit. */
  readonly fraction: number | undefined;
  /** The estimated remaining seconds; undefined at the start, at the end, and without a limit. */
  readonly remainingSeconds: number | undefined;
}

/** The progress of a phase of the load. */
export interface PhaseProgress extends StageProgress {
  /** Number of requests that ended. */
  readonly ended: number;
  /** The planned number of requests; undefined if the phase ends by time. */
  readonly planned: number | undefined;
}

/** Describes the progress of the active phase of the load. */
export function describePhase(
  { phase, succeeded, failed, cancelled, elapsedNs }: LoadProgress,
  plan: { readonly warmup?: PhaseLimits; readonly profiling?: PhaseLimits },
): PhaseProgress {
  const limits = phase === 'warmup' ? plan.warmup : plan.profiling;
  const seconds = elapsedNs / 1e9;
  const ended = succeeded + failed + cancelled;
  const name = phase === 'warmup' ? 'warm-up' : 'profiling';
  const progress = describeStage(name, seconds, computeFraction(ended, seconds, limits));
  return { ...progress, ended, planned: limits?.requestCount };
}

/** Describes the progress of a stage. The remaining time is estimated from the elapsed time. */
export function describeStage(name: Phase, seconds: number, fraction: number | undefined): StageProgress {
  const isPartial = fraction !== undefined && fraction > 0 && fraction < 1;
  const remainingSeconds = isPartial ? Math.ceil((seconds * (1 - fraction)) / fraction) : undefined;
  return { name, seconds, fraction, remainingSeconds };
}

/** Computes the completed fraction of a phase, by requests or by time, whichever is larger. */
export function computeFraction(
  ended: number,
  seconds: number,
  { requestCount, durationS }: PhaseLimits = {},
): number | undefined {
  if (requestCount === undefined && durationS === undefined) return undefined;
  const byCount = requestCount === undefined ? 0 : ended / requestCount;
  const byTime = durationS === undefined ? 0 : seconds / durationS;
  return Math.min(1, Math.max(byCount, byTime));
}
