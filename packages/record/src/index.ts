export { DEFAULT_FORMATS, datasetPath, type ExportFormat, exportPath, FORMATS } from './exportFiles.ts';
export { CSV_LAYOUTS, type CsvLayout, JSON_LAYOUTS, type JsonLayout, type Layouts } from './exportLayouts.ts';
export type {
  CostRecord,
  EdgesRecord,
  EndpointRecord,
  HealthRecord,
  MarkRecord,
  RunRecord,
  ScrapingRecord,
  SettlingRecord,
} from './runRecord.ts';
export { UsageError } from './usageError.ts';
