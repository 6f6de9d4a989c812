/**
 * The exports of this package that find and open the files of a run. Importing this module does not load the
 * analysis code.
 */
export { listSweptRuns, type ParameterValue, type SweptRun } from '@org/record';
export { openInput, RunError, statRun } from './run/input.ts';
export { findRepeatedRuns, findRunFiles, listRunFiles, type RunFiles } from './run/runFiles.ts';
