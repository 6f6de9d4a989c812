/** Analysis of finished runs: reading exports, comparing runs, checking rules, and finding problems. */
export { checkRun, type Outcome, type RuleResult, toExitCode } from './check/checkRun.ts';
export { type ClientLimit, readClientLimit } from './check/clientLimit.ts';
export { compareNumbers } from './check/comparison.ts';
export type { ComparedValues } from './check/evaluate.ts';
export { ExpressionError } from './check/expression.ts';
export { InvalidRuleError, parseAssertion, parseRule, parseRules, type Rule } from './check/rules.ts';
export { readServerLimit, type ServerLimit } from './check/serverLimit.ts';
export { type Comparison, compareRuns } from './compare/compareRuns.ts';
export type { OptionDifference, OptionTopic } from './compare/conditions/optionDifferences.ts';
export type { LabelHint, OneSidedSeries } from './compare/matching/labelHint.ts';
export type { ComparisonRow, Verdict } from './compare/rows/row.ts';
export type { CompareOptions } from './compare/settings.ts';
export { computeDerived, type DerivedSlice, type DerivedValue } from './derived/computeDerived.ts';
export { withDerivedMetrics } from './derived/derivedFamilies.ts';
export { formatDerived, type KnownDerivedValue, selectNotableDerived } from './derived/notableDerived.ts';
export {
  FINDING_RULES,
  type FindingOptions,
  findFindings,
  isFailureFinding,
  isUnavailabilityFinding,
} from './findings/findFindings.ts';
export type {
  Evidence,
  Finding,
  FindingRule,
  FindingSeverity,
  Threshold,
  TimeRange,
} from './findings/rule.ts';
export { isStall } from './findings/stalls.ts';
export { combineSeries } from './keyMetrics/combine.ts';
export {
  type Distinction,
  distinguishSeries,
  findKeyMetrics,
  type KeyMetric,
  type ServerKeyMetrics,
} from './keyMetrics/keyMetrics.ts';
export { type OtherMetric, selectOtherMetrics } from './keyMetrics/otherMetrics.ts';
export { sum } from './math.ts';
export type { KvTransferTime } from './requestTime/kvTransfer.ts';
export type { StageName } from './requestTime/part.ts';
export { computeRequestTime, type RequestStage, type RequestTime } from './requestTime/requestTime.ts';
export type { StagePercentile } from './requestTime/stageTime.ts';
export { readStageTrends } from './requestTime/stageTrends.ts';
export {
  computeFailedShare,
  describeDeath,
  findPartialCoverages,
  formatPartialCoverage,
  hasData,
  type PartialCoverage,
} from './run/availability.ts';
export { CLIENT_ENDPOINT } from './run/clientMetrics.ts';
export { listThrottleReasons, type ThrottleCause, type ThrottleReason } from './run/clockReasons.ts';
export { GpuSamples, type GpuValue, readGpuValues, readRunGpus } from './run/gpuSamples.ts';
export { RunError } from './run/input.ts';
export { type OpenOptions, openRun } from './run/openRun.ts';
export {
  createRun,
  createRunFromView,
  type EndpointState,
  listSeries,
  type Run,
  type RunEndpoint,
  type RunLayout,
  type RunParts,
  type RunTimes,
} from './run/run.ts';
export type { RunGpu } from './run/runGpu.ts';
export { readMaxScrapeDistance, readScrapeInterval } from './run/scrapeInterval.ts';
export {
  type RunFamily,
  type RunSeries,
  type RunSlice,
  readStat,
  type SeriesType,
} from './run/series.ts';
export { explainUnknownGoodput, listUrlMetrics, type UrlMetrics } from './run/urlMetrics.ts';
export { listCountedSeries, recognizeServers } from './servers/metricSeries.ts';
export { type RoleSeries, selectRoleSeries } from './servers/roleSeries.ts';
export { formatVersions } from './servers/serverVersions.ts';
export { readComponents } from './servers/servingSystem.ts';
export { type Axis, LATENCIES, THROUGHPUTS } from './sweep/axes.ts';
export { describeSearch, type SearchDescription } from './sweep/describeSearch.ts';
export type { Estimate } from './sweep/estimate.ts';
export type { LoadPoint } from './sweep/loadPoint.ts';
export {
  matchVariations,
  openCompleteRuns,
  type VariationMatches,
  type VariationPair,
} from './sweep/matchVariations.ts';
export { computeHalfWidth, normalizeSweep } from './sweep/normalizeSweep.ts';
export { formatParameter, formatVariationName, openRunSet } from './sweep/openRunSet.ts';
export { type Repeat, readRepeats } from './sweep/repeats.ts';
export type { RunSet } from './sweep/runSet.ts';
export { readServerLoad, type ServerLoad } from './sweep/serverLoad.ts';
export { analyzeTrend } from './trend/analyzeTrend.ts';
export type { Level } from './trend/changePoints.ts';
export { findChanges } from './trend/changePoints.ts';
export type { RunProblem } from './trend/listRunFolders.ts';
export type { FigureName, Spread } from './trend/runFigures.ts';
export type {
  ChangeVerdict,
  MetricChange,
  MetricDrift,
  MetricTrend,
  RunTrend,
  TrendGroup,
  TrendRun,
} from './trend/runTrend.ts';
export type { SettingChange, VaryingSetting } from './trend/settingChanges.ts';
export { resolveTrendSettings, type TrendOptions, type TrendSettings } from './trend/settings.ts';
