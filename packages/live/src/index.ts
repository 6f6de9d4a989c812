/** The state of an active run: one reading per second of its load and of its endpoints, for displays. */

export { isResponding } from '@org/record/roles';
export { type LivePlan, LiveRun } from './liveRun.ts';
export type {
  ClientState,
  EndpointState,
  LiveLatency,
  LiveLevel,
  LiveLimit,
  LiveState,
  Points,
  ServerState,
} from './liveState.ts';
export { describePhase, type PhaseProgress, type StageProgress } from './phaseProgress.ts';
export type { Quantiles } from './quantileSketch.ts';
export { MAX_READINGS } from './readings.ts';
export { describeUnresponsive, getWallTimeNs } from './unresponsive.ts';
