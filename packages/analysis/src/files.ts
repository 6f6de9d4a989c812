/** The exports of this package that find and open the files of a run. Importing them loads no analysis. */
export { openInput, RunError, statRun } from './run/input.ts';
export { findRepeatedRuns, findRunFiles, type RunFiles } from './run/runFiles.ts';
