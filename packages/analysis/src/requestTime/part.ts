import type { StageTime } from './stageTime.ts';
import type { TimeSum } from './timeSum.ts';

/**
 * A part of the time of a request, in the order in which a request passes them:
 *
 * - `outside`: between client and server: network, proxies, the client itself
 * - `preprocess`, `route`: in a frontend, before the request leaves for an engine
 * - `transport`: from the frontend to the engine, and back with the first token
 * - `frontend`: the rest of the time in a frontend, or all of it if the frontend does not measure its stages
 * - `queue`, `prefill`, `decode`: in the engine; `first_token` is queue and prefill if they cannot be separated
 * - `server`: the rest of the time in the server, which it does not measure
 */
export type StageName =
  | 'outside'
  | 'preprocess'
  | 'route'
  | 'transport'
  | 'frontend'
  | 'queue'
  | 'prefill'
  | 'first_token'
  | 'decode'
  | 'server';

/** A stage with its time, and the histogram that measured it, if it is not a difference. */
export interface Part {
  readonly stage: StageName;
  readonly time: TimeSum;
  readonly measured?: StageTime;
}

/** Creates the part of a stage that a histogram measured. */
export function createMeasuredPart(stage: StageName, time: StageTime): Part {
  return { stage, time, measured: time };
}

/** The largest share by which parts may exceed the whole, because they cover other requests at the edges. */
const TOLERANCE = 0.01;

/** Reports whether what is left of `whole` without its parts can be a time, although they cover other requests at the edges. */
export function isPlausible(rest: TimeSum, whole: TimeSum): boolean {
  return rest.totalMs >= -TOLERANCE * whole.totalMs;
}

/** Reports whether nothing but rounding errors is left of `whole`. */
export function isNothing(rest: TimeSum, whole: TimeSum): boolean {
  return Math.abs(rest.totalMs) < 1e-9 * whole.totalMs;
}
