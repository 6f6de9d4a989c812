import { isPartOfRun } from '@org/core';
import type { Reconciliation } from '@org/formats';
import type { LoadSummary, ProfileMetrics } from '@org/loadgen';
import type { ServerMetrics } from '../lifecycle/runStorage.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { RequestRecorder } from '../profile/requestRecorder.ts';
import { mayCombineInputs } from './combinedInputs.ts';
import { reconcileRun } from './reconcile.ts';

/** Reconciles the requests of a load with the counters of the servers. Returns undefined for shards of a load. */
export function reconcileLoad(
  { record, exports }: ServerMetrics,
  { metrics, warmupCutOff, requests }: RequestRecorder,
  run: {
    readonly blocks: ReturnType<ProfileMetrics['toBlocks']>;
    readonly load: LoadSummary;
    readonly shard: ProfilePlan['shard'];
    readonly inputConfig: Readonly<Record<string, unknown>>;
    readonly runningAtStart: number | undefined;
    readonly runningAtEnd: number | undefined;
  },
): Reconciliation | undefined {
  // The servers also count the requests of the other shards.
  if (isPartOfRun(run.shard)) return undefined;
  const { blocks, load, runningAtStart, runningAtEnd } = run;
  const { succeeded, failed, cancelled } = metrics;
  // Servers may have completed the in-flight requests of a worker that exited.
  const lostRequests = load.lostWorkers.reduce((sum, worker) => sum + worker.requests, 0);
  return reconcileRun(record, exports.document, {
    blocks,
    metrics: { succeeded, failed: failed + lostRequests, cancelled },
    warmupCutOff,
    tokenizer: load.tokenizer,
    runningAtStart,
    runningAtEnd,
    requests,
    mayCombineInputs: mayCombineInputs(run.inputConfig),
  });
}
