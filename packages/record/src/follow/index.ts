/** Reads the files of an active run while they grow. */

export { FollowedJournal } from './followedJournal.ts';
export { GrowingLines } from './growingLines.ts';
export { findNewestJournal } from './newestJournal.ts';
