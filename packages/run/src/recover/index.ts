export type { RecoverEvent, RecoverEventSink } from './events.ts';
export type { RebuiltProfile } from './rebuildProfile.ts';
export { ExportConflictError, type RecoveredExports, type RecoverOptions, recover } from './recover.ts';
export {
  findRepeatedRuns,
  type RecoveredRuns,
  type RecoverRepeatedEvent,
  type RecoverRepeatedOptions,
  type RepeatedRuns,
  recoverRepeatedRuns,
} from './repeatedRuns.ts';
