export { timeNs } from './isoTime.ts';
export { LACKS, type LoadedRun, loadRun } from './loadRun.ts';
export { type RunFiles, runFilesOf, SOURCES, type SourceKind } from './runFiles.ts';
