export { numericKeys as orderedBounds } from '../bound.ts';
export { FormatError } from '../format-error.ts';
export { JsonSyntaxError, type ParsedJson, parseJson } from '../json/parse.ts';
export { EncodingError, type Input, isSourceError, openSource, type Source } from '../source.ts';
export { endpointNames } from '../write/endpoint-name.ts';
export {
  type AnyServerMetrics,
  profileMetrics,
  readProfileAggregate,
  readProfileCollated,
  readProfileExport,
  readProfileMetrics,
  readProfileSweep,
  readProfileTimeslices,
  readServerMetrics,
  readServerMetricsJson,
  timesliceMetrics,
} from './document.ts';
export { liftLegacy } from './legacy.ts';
export { type RecordOptions, readProfileRecords, readRecords } from './records.ts';
export type {
  CounterView,
  GaugeView,
  HistogramView,
  MetricView,
  ServerMetricsView,
  SummaryView,
} from './view.ts';
