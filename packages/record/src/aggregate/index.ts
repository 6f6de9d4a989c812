/** Statistics over several runs: repeats of one benchmark, and the variations of a sweep. */

export { type BestVariations, findBestVariations } from './bestVariations.ts';
export { type Combined, combineRuns, combineVariation, nestSingleRun } from './combinedStatistics.ts';
export { type ConfidenceInterval, computeInterval } from './confidenceInterval.ts';
export {
  type ClientStatistic,
  extractRunStatistics,
  type RunStatistics,
  type ServerSeries,
  type Statistic,
} from './runStatistics.ts';
