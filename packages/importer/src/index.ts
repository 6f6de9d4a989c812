/** Imports runs from Prometheus-compatible APIs, from folders of metrics pages, and from JSONL exports. */

export { APIS, type Api } from './api/sampleReader.ts';
export type { KnownTypes } from './families/familyResolver.ts';
export { type ApiImport, type ApiImportOptions, importApi } from './importApi.ts';
export type { ImportEvent, ImportEventSink } from './importEvents.ts';
export { findSampledRange, type Imported } from './imported.ts';
export { importJsonl, type JsonlImportOptions } from './importJsonl.ts';
export { importPages, PAGE_TIMES, type PageImportOptions, type PageTime } from './importPages.ts';
export { parseSelector, type Selector } from './selector.ts';
export type { ImportState } from './state/importState.ts';
export { formatTime, parseDurationMs, parseTimeMs } from './time.ts';
