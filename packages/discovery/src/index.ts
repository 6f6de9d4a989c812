export { type AccessSettings, mergeSettings } from './accessSettings.ts';
export { describeHeaderProblem } from './connectionHeaders.ts';
export { describeTarget } from './describeTarget.ts';
export { resolveTargets, type TargetSources } from './targets.ts';
