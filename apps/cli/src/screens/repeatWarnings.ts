import { isSuccess, MIN_INTERVAL_RUNS, type RepeatPlan, type RepeatResult } from '@org/run';
import type { Log } from '@org/terminal/live';
import { warnOfMissingIntervals } from './aggregates.ts';

/** Warns of incomplete or misleading aggregates of repeated runs and sweeps. The warnings of searches are in their results. */
export function logRepeatWarnings(runs: RepeatPlan, result: RepeatResult, log: Log): void {
  const { outcomes, wasCancelled, exports, prefixCacheReuse } = result;
  const complete = outcomes.filter(isSuccess).length;
  const planned = runs.runs.length;
  if (exports.search) return;
  if (wasCancelled) log.warning(`interrupted: ${complete} of ${planned} runs are complete`);
  else if (complete < outcomes.length) log.error(`${outcomes.length - complete} of ${planned} runs failed`);
  if (runs.repetition.runs < MIN_INTERVAL_RUNS) return;
  if (prefixCacheReuse) log.warning(formatCacheReuse(prefixCacheReuse));
  warnOfMissingIntervals(runs, exports.aggregates, log);
}

function formatCacheReuse({ first, later }: NonNullable<RepeatResult['prefixCacheReuse']>): string {
  const [firstShare, laterShare] = [first, later].map(ratio => `${(100 * ratio).toFixed(0)}%`);
  return `later runs were served from the prefix cache (${laterShare} of prompt tokens, ${firstShare} in the first run), so they measured different work; use --vary-seed-per-trial to send different prompts`;
}
