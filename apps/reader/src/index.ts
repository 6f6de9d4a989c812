export { FINDING_RULES, type FindingOptions, findings } from './findings/find.ts';
export type { Evidence, Finding, Weight } from './findings/finding.ts';
export type { FindingRule, Threshold } from './findings/rule.ts';
export { type ReaderIo, readerMain } from './main.ts';
export { RunError } from './run/error.ts';
export { type RunFiles, repeatedRuns } from './run/locate.ts';
export { openRun } from './run/open.ts';
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
export {
  completeSlices,
  type RunFamily,
  type RunSeries,
  type RunSlice,
  type SeriesType,
  sliceFigure,
  statOf,
} from './run/series.ts';
export {
  type Distinction,
  distinctions,
  type KeyFigure,
  type KeyMetrics,
  keyMetrics,
} from './summary/keymetrics.ts';
export { renderRun, renderSummary, type SummaryOptions } from './summary/screen.ts';
export { paretoPoints, type Tradeoff } from './sweep/pareto.ts';
export { renderAggregate, renderSweep, type TableLook } from './sweep/screen.ts';
export { openSeveral, type Several } from './sweep/several.ts';
