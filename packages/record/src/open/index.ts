export { parseTimeNs } from './isoTime.ts';
export { MISSING_DATA, missedFramesMessage, type OpenedRecord, openRunRecord } from './openRunRecord.ts';
export { findRunFiles, type RunFiles, SOURCES, type SourceKind } from './runFiles.ts';
