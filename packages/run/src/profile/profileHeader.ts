import type { RunInfo } from '@org/formats';
import type { ProfileHeader } from '@org/record/journal';
import type { RecordedConfig } from '../plan/profileConfig.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { hasServers } from '../plan/runPlan.ts';
import { readStartNs } from '../shard/commonStart.ts';
import { isStreaming } from './requestRecorder.ts';
import { findPlannedSource } from './tokenSource.ts';
import { countWorkers } from './workerCount.ts';

/** Creates the header of the journal, which is used to recover a killed run. */
export function createProfileHeader(
  plan: ProfilePlan,
  run: {
    readonly startNs: bigint;
    readonly config: Required<RecordedConfig>;
    readonly runInfo: RunInfo;
    readonly tokenizer: string;
  },
): ProfileHeader {
  const { startNs, config, runInfo, tokenizer } = run;
  const { goodput, inputs, shard } = plan;
  const startAtNs = readStartNs(plan);
  const workers = countWorkers(plan);
  const tokenSource = findPlannedSource(plan);
  return {
    startNs,
    ...config,
    runInfo,
    streaming: isStreaming(plan),
    ...(goodput ? { goodput } : {}),
    ...(inputs.fixedSchedule ? { fixedSchedule: true } : {}),
    tokenizer,
    ...(tokenSource === undefined ? {} : { tokenSource }),
    ...(workers === undefined ? {} : { workers }),
    ...(plan.warmup ? { hasWarmup: true } : {}),
    ...(shard ? { shard } : {}),
    ...(startAtNs === undefined ? {} : { startAtNs }),
    hasServers: hasServers(plan),
  };
}
