/** Merges the shards of a run into one run. */

export { type MergedExports, type MergeOptions, type MergePlan, mergeShards } from './merge.ts';
