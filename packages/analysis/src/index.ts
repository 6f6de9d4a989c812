export { type Checked, check, exitCode, type Outcome } from './check/checkRun.ts';
export { RuleError } from './check/ruleError.ts';
export { assertion, type Rule, RulesError, rulesOf } from './check/rules.ts';
export { type Comparison, compare } from './compare/compareRuns.ts';
export type { LabelHint } from './compare/labelHint.ts';
export type { Missing } from './compare/missing.ts';
export type { Row } from './compare/row.ts';
export type { CompareOptions } from './compare/settings.ts';
export type { Verdict } from './compare/verdict.ts';
export { FINDING_RULES, type FindingOptions, findings } from './findings/findFindings.ts';
export type { Evidence, Finding, Weight } from './findings/finding.ts';
export type { FindingRule, Threshold } from './findings/rule.ts';
export { combined } from './keyMetrics/combine.ts';
export {
  type Distinction,
  distinctions,
  type KeyFigure,
  type KeyMetrics,
  runKeyMetrics,
} from './keyMetrics/keyMetrics.ts';
export { highest, isShare, mean, sum } from './math.ts';
export { CLIENT } from './run/clientMetrics.ts';
export { openInput } from './run/input.ts';
export { openRun } from './run/openRun.ts';
export {
  type EndpointState,
  type Run,
  type RunEndpoint,
  type RunLayout,
  type RunParts,
  type RunTimes,
  runOf,
  runOfView,
  seriesOf,
} from './run/run.ts';
export { RunError } from './run/runError.ts';
export { locate, type RunFiles, repeatedRuns } from './run/runFiles.ts';
export {
  completeSlices,
  type RunFamily,
  type RunSeries,
  type RunSlice,
  type SeriesType,
  sliceFigure,
  statOf,
} from './run/series.ts';
export { type Axis, LATENCIES, THROUGHPUTS } from './sweep/axes.ts';
export { openSeveral, parameterText, type Several, variationName } from './sweep/openRunSet.ts';
