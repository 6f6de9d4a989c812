export { bytes, figure, time } from './figure.ts';
export { type Distinction, distinctions, type KeyFigure, type KeyMetrics, keyMetrics } from './keymetrics.ts';
export { type ReaderIo, readerMain } from './main.ts';
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
