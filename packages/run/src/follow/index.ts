/** Follows an active run from outside, through the files that it writes. */

export { checkWatchedFolder, FollowedRun, type RunSnapshot, type SnapshotState } from './followedRun.ts';
