/** Writes the exports of killed runs from their journals. */

export type { RecoverEvent, RecoverEventSink } from '../events.ts';
export { ExportConflictError } from './exportConflict.ts';
export { type RecoveredExports, type RecoverOptions, recover } from './recover.ts';
export {
  findRepeatedRuns,
  type RecoveredRuns,
  type RecoverRepeatedRunsEvent,
  type RecoverRepeatedRunsOptions,
  type RepeatedRuns,
  recoverRepeatedRuns,
} from './repeatedRuns.ts';
