export { type CollectOptions, type CollectResult, collect, type WorkloadContext } from './collect/collect.ts';
export { formatCommandLine } from './commandLine.ts';
export type { ActiveLoad, EventSink, JournalKept, Phase, RunEvent } from './events.ts';
export { makeFolder, makeUniqueFolder } from './lifecycle/artifactFolder.ts';
export { beforeLateImport } from './lifecycle/lateImport.ts';
export { pause } from './lifecycle/pause.ts';
export type { ServerMetrics } from './lifecycle/runLifecycle.ts';
export { openRunMemory, type RunMemory } from './lifecycle/runMemory.ts';
export type { CollectPlan } from './plan/collectPlan.ts';
export { DATASET_TYPES, type DatasetType, type InputPlan } from './plan/inputPlan.ts';
export { formatPlanError, PlanError, type PlanField } from './plan/planError.ts';
export type { ProfilePlan, RequestPlan, RequestTls } from './plan/profilePlan.ts';
export type { ExportPlan, RunPlan, StoragePlan } from './plan/runPlan.ts';
export { DEFAULT_SETTINGS, type RunSettings } from './plan/settings.ts';
export { describeNoSuccess } from './profile/noSuccess.ts';
export { profile } from './profile/profile.ts';
export { profileFiles } from './profile/profileFiles.ts';
export { isWritten, type ProfileOptions, type ProfileResult } from './profile/profileResult.ts';
export type { RepeatEvent } from './repeat/events.ts';
export { PLAN_JOURNAL } from './repeat/planJournal.ts';
export { profileRepeatedly } from './repeat/profileRepeatedly.ts';
export type { RepeatedProfilePlan, RepeatOptions, RepeatResult } from './repeat/repeatedProfile.ts';
export {
  DEFAULT_REPEAT_SEED,
  formatRunName,
  type PlannedRun,
  planRuns,
  type RepeatPlan,
} from './repeat/repeatPlan.ts';
export { MIN_INTERVAL_RUNS, type Repetition, type SweepMode } from './repeat/repetition.ts';
export { SWEEP_FOLDER } from './repeat/runFolders.ts';
export { isSuccess, type RunOutcome } from './repeat/runOutcome.ts';
export type { SweptParameter, Variation, Variations } from './repeat/variations.ts';
export type { RepeatExports } from './repeat/writeRepeated.ts';
export type { RunOptions } from './runOptions.ts';
