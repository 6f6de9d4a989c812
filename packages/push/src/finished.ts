/** Reads the files of runs that have ended. */

export { describeRun, openFinishedRun } from './endedRun.ts';
