import type { RunInfo } from '@org/formats';
import type { LoadSummary } from '@org/loadgen';
import type { ServerCatalog } from '@org/servers';
import type { GpuRecorder } from '../gpu/gpuRecorder.ts';
import type { ServerMetrics } from '../lifecycle/runStorage.ts';
import type { RecordedConfig } from '../plan/profileConfig.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { reconcileLoad } from '../reconciliation/reconcileLoad.ts';
import type { RunContext } from '../runContext.ts';
import type { CommonStart } from '../shard/commonStart.ts';
import { describeShard } from '../shard/shardReport.ts';
import type { EarlyEndings } from './earlyEndings.ts';
import type { NetworkLatency } from './networkLatency.ts';
import type { writeProfileExports } from './profileExports.ts';
import type { ProfilingPhase } from './profilingPhase.ts';
import type { PhaseTimes } from './recordedPhases.ts';
import type { RequestRecorder } from './requestRecorder.ts';

/** Identity of a profile run, and the components that measured it. */
export interface MeasuredRun {
  readonly context: RunContext<ProfilePlan>;
  readonly config: Required<RecordedConfig>;
  readonly runInfo: RunInfo;
  readonly catalog: ServerCatalog;
  readonly start: CommonStart;
  readonly recorder: RequestRecorder;
  readonly profiling: ProfilingPhase;
  readonly earlyEndings: EarlyEndings;
  readonly network: NetworkLatency;
  readonly gpus: GpuRecorder | undefined;
}

/** The load of a run after its end. Times are nanoseconds since 1970. */
export interface EndedLoad {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly load: LoadSummary;
  /** Absent if the plan has no targets. */
  readonly server: ServerMetrics | undefined;
  readonly phases: readonly PhaseTimes[];
}

/** Collects what the client's exports of a run contain. */
export function collectExportParts(
  run: MeasuredRun,
  { startNs, endNs, load, server, phases }: EndedLoad,
): Parameters<typeof writeProfileExports>[0] {
  const { context, config, recorder, profiling } = run;
  const { benchmarkId, version } = context;
  const { metrics, phaseMetrics, slices, profilingStartNs, earlyStops, byUrl, tokenSource } = recorder;
  const blocks = { ...metrics.toBlocks(), ...run.network.describe(metrics) };
  const { shard } = context.plan;
  const { endNs: profilingEndNs, runningAtStart, runningAtEnd } = profiling;
  const { inputConfig } = config;
  return {
    benchmarkId,
    version,
    startNs,
    endNs,
    metrics,
    phaseMetrics,
    blocks,
    byUrl,
    warmup: recorder.describeWarmup(load),
    phases,
    phaseFiles: server?.phaseFiles ?? [],
    originNs: load.originNs,
    summary: load,
    earlyStops,
    overSaturation: run.earlyEndings.overSaturation,
    tokenizer: load.tokenizer,
    tokenSource,
    cancelled: load.wasCancelled,
    ...config,
    runInfo: run.runInfo,
    reconciliation:
      server &&
      reconcileLoad(server, recorder, { blocks, load, shard, inputConfig, runningAtStart, runningAtEnd }),
    shard: describeShard(load, recorder, { shard, start: run.start, profilingEndNs }),
    slices,
    profilingStartNs,
    profilingEndNs: profilingEndNs ?? load.originNs,
    serverMetrics: server?.exports.document,
    servers: run.catalog,
    gpus: run.gpus && {
      recording: run.gpus.recording,
      startNs: profilingStartNs,
      endNs: profilingEndNs ?? endNs,
    },
  };
}
