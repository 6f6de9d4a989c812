/** Journals: creates them during a run, and recovers killed runs from them. */

export {
  findJournal,
  JOURNAL_EXTENSION,
  listJournals,
  openJournal,
} from './journalFile.ts';
export { LOAD_MARK, type LoadBoundary, type LoadEnd, type RecoveredLoad, readLoad } from './loadMarks.ts';
export { MARK, type TimesByEndpoint, toBoundarySamples } from './phaseMarks.ts';
export { type RecoveredRun, recoverRun } from './recoverRun.ts';
export type { ProcessIdentity, ProfileHeader, RunHeader } from './runHeader.ts';
