/** Writes the exports of runs, and exports completed runs again. */

export { makeFolder } from '../lifecycle/artifactFolder.ts';
export { openRunMemory, type RunMemory } from '../lifecycle/runStorage.ts';
export type { ExportProgress } from './exportProgress.ts';
export { type ExportOptions, type ExportResult, exportRun, type RunExports } from './exportRun.ts';
export {
  ExistingExportError,
  type ReexportEvents,
  type ReexportPlan,
  type ReexportResult,
  reexport,
} from './reexport.ts';
