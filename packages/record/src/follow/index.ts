/** Reads the files of a running run while they grow. */

export { FollowedJournal } from './followedJournal.ts';
export { GrowingLines } from './growingLines.ts';
export { findNewestJournal } from './newestJournal.ts';
