export { edgesRecord, MARK, type TimesByEndpoint } from './journalMarks.ts';
export { LOAD_MARK, type LoadEdge, type LoadMoments, type LoadOver, loadMomentsOf } from './loadMarks.ts';
export type { ProfileHeader } from './profileHeader.ts';
export {
  isBesideAnother,
  JOURNAL_ENDING,
  journalIn,
  openJournal,
  type Recovered,
  type RunHeader,
  recoverRun,
} from './runJournal.ts';
