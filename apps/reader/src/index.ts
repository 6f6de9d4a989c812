export { bytes, figure, time } from './figure.ts';
export { type Distinction, distinctions, type KeyFigure, type KeyMetrics, keyMetrics } from './keymetrics.ts';
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
  type Headline,
  recognisedServers,
  SERVER_KINDS,
  type ServerKind,
  type WatchedMetric,
  type WatchedStat,
} from './servers.ts';
export { renderSummary, type SummaryOptions } from './summary.ts';
export { printable, wantsColor, widthOf } from './terminal.ts';
