/** Executes runs: `collect`, `profile` and `profileRepeatedly`. */

export { MIN_INTERVAL_RUNS } from '@org/record';
export { type CollectOptions, type CollectResult, collect, type WorkloadContext } from './collect/collect.ts';
export type { ActiveLoad, EventSink, JournalKept, Phase, RunEvent } from './events.ts';
export { type DefaultFolder, makeDefaultFolder } from './lifecycle/defaultFolder.ts';
export { prepareLateImport } from './lifecycle/lateImport.ts';
export type { ServerMetrics } from './lifecycle/runStorage.ts';
export type { CollectPlan } from './plan/collectPlan.ts';
export { formatPlanError, PlanError, type PlanField } from './plan/planError.ts';
export type { Preparation } from './plan/preparation.ts';
export {
  type InputPlan,
  type NetworkLatencyPlan,
  type ProfilePlan,
  type PublicRows,
  type RequestPlan,
  type RequestTls,
  TOKEN_COUNTS,
  type TokenCount,
} from './plan/profilePlan.ts';
export type { ExportPlan, RunPlan, RunSettings, StoragePlan } from './plan/runPlan.ts';
export { type Dataset, detectDataset } from './profile/dataset.ts';
export { describeFailedRun, findAbortReason, readCounts } from './profile/failedRun.ts';
export { profile } from './profile/profile.ts';
export type { ProfileExports } from './profile/profileExports.ts';
export type { FormatConsole, ProfileOptions, ProfileResult } from './profile/profileResult.ts';
export { ServerControlError } from './profile/serverControlError.ts';
export {
  CONVERGENCE_MODES,
  CONVERGENCE_THRESHOLDS,
  type ConvergenceMode,
  type ConvergenceRule,
} from './repeat/convergenceRule.ts';
export { computeCachedShare } from './repeat/prefixCacheReuse.ts';
export { profileRepeatedly } from './repeat/profileRepeatedly.ts';
export type {
  RepeatEvent,
  RepeatedProfilePlan,
  RepeatOptions,
  RepeatResult,
} from './repeat/repeatedProfile.ts';
export {
  formatRunName,
  type PlannedRun,
  planRuns,
  planSearch,
  type RepeatPlan,
  type Repetition,
  type SweptParameter,
  type Variation,
  type Variations,
} from './repeat/repeatPlan.ts';
export { isSuccess, type RunOutcome } from './repeat/runOutcome.ts';
export type { RepeatExports } from './repeat/writeRepeated.ts';
export { formatCommandLine, type RunOptions } from './runContext.ts';
export { DEFAULT_WINDOW_SECONDS, MIN_WINDOW_SECONDS } from './saturation/saturationRule.ts';
export { checkLimits } from './search/checkLimits.ts';
export type { Measurement } from './search/measureRun.ts';
export type { RecipeResult } from './search/recipeResult.ts';
export type {
  SearchDimension,
  SearchLimit,
  SearchObjective,
  SearchPlan,
  SearchTier,
  SlaFilter,
} from './search/searchPlan.ts';
