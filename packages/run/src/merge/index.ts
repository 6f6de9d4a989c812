/** Merges the shards of a run into one run. */

export { type MergedExports, mergeShards } from './merge.ts';
export type { MergeOptions, MergePlan } from './mergePlan.ts';
