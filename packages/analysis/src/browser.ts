/** The exports of this package that run in a browser. */
export { max, mean, sum } from './math.ts';
export {
  type BestWithinLimits,
  findBestWithinLimits,
  judgePoint,
  type LatencyLimit,
  type LimitVerdict,
} from './sweep/bestWithinLimits.ts';
export { findCertainParetoPoints } from './sweep/certainPareto.ts';
export { type Estimate, isCertainlyBelow } from './sweep/estimate.ts';
export { type GroupedLoad, groupByLoad, type LoadGroup, type LoadPoint } from './sweep/loadPoint.ts';
export { findSaturation } from './sweep/saturation.ts';
export type { ServerLoad } from './sweep/serverLoad.ts';
