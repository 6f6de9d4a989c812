/** Reads the files of runs that have ended, and sends their statistics in this thread. */

export { createLocalDispatcher } from './dispatch/localDispatcher.ts';
export { describeRun, openFinishedRun } from './endedRun.ts';
