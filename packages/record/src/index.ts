/** The run record: all data of one run, from which every export is created. */

export {
  type Availability,
  type AvailabilityTimes,
  assessAvailability,
  type Coverage,
  type Death,
  hasNoResponse,
  type RecoveredOutage,
  type Restart,
} from './availability.ts';
export {
  COMPATIBILITIES,
  type Compatibility,
  DEFAULT_FORMATS,
  EXPORT_LEVELS,
  type ExportFormat,
  type ExportLevel,
  FORMATS,
  getDatasetPath,
  getDefaultFormats,
  getExportPath,
  JSON_LAYOUTS,
  type JsonLayout,
  parseExportName,
  STATISTICS_WINDOWS,
  type StatisticsWindow,
} from './exportFormats.ts';
export { MIN_INTERVAL_RUNS } from './intervalRuns.ts';
export { hasTimeZone } from './isoTime.ts';
export { findRunFolders, listRepeatedRuns, listVariations, type VariationRuns } from './listRuns.ts';
export { describeOverSaturation } from './overSaturation.ts';
export { listMissingRuns } from './plannedRuns.ts';
export { getDefinitions, omitDefinitions, recordDefinitions } from './recordedConfig.ts';
export {
  AGGREGATE_FOLDER,
  formatAggregateFolder,
  formatAiperfLabel,
  formatRunFolder,
  formatRunLabel,
  formatSweepFolder,
  formatVariationFolder,
  type ParameterValue,
  RUNS_FOLDER,
  type RunOrder,
  SWEEP_FOLDER,
} from './runFolders.ts';
export { RunInputError } from './runInputError.ts';
export type {
  BoundarySamples,
  CostRecord,
  EndpointRecord,
  HealthRecord,
  ImportRecord,
  MarkRecord,
  OutageRecord,
  ResetRecord,
  RunRecord,
  ScrapingRecord,
  SettlingRecord,
  SourceRecord,
  TimeRange,
} from './runRecord.ts';
export { listSweptRuns, readSweepCommand, type SweptRun } from './sweptRuns.ts';
export {
  describeUnfinishedImport,
  hasUnfinishedImport,
  IMPORT_FOLDER,
  IMPORT_PLAN_FILE,
} from './unfinishedImport.ts';
