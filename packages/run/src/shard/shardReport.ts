import type { Shard as ShardReport } from '@org/formats';
import type { LoadSummary } from '@org/loadgen';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { describeWarmupTimes } from '../profile/recordedPhases.ts';
import type { RequestRecorder } from '../profile/requestRecorder.ts';
import { listPhases } from '../profile/runPhases.ts';
import type { CommonStart } from './commonStart.ts';

/** Describes the part of the load that this run sent; undefined if it sent the whole load. */
export function describeShard(
  load: LoadSummary,
  recorder: RequestRecorder,
  run: {
    readonly shard: ProfilePlan['shard'];
    readonly start: CommonStart;
    readonly profilingEndNs: bigint | undefined;
  },
): ShardReport | undefined {
  if (!run.shard) return undefined;
  const { profilingStartNs } = recorder;
  const clocks = recorder.clocks.list();
  return {
    ...run.shard,
    start_ns: profilingStartNs,
    end_ns: run.profilingEndNs ?? profilingStartNs,
    ...describeWarmupTimes(listPhases(load)),
    ...run.start.describe(),
    ...(clocks.length > 0 ? { server_clocks: clocks } : {}),
  };
}
