import type { GpuEnergy, PhaseGpuTelemetry, ProfileExport, ProfileMetric, TelemetryData } from '@org/formats';
import {
  CLOSING_SAMPLE_NS,
  computeEnergyMetrics,
  createTelemetryData,
  type EnergyRecord,
  type Window,
} from '@org/gpu';
import { formatUtc } from '@org/record/view';
import type { GpuRecording } from './gpuRecorder.ts';
import { getPhasePosition, type PhaseName } from './phasePosition.ts';

/** The GPU telemetry of one phase. */
export interface PhaseGpus {
  readonly recording: GpuRecording;
  /** Start and end of the phase, in nanoseconds since 1970. */
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/** The fields of a profile export about GPUs; empty if no source was found. */
export type GpuFields = Pick<ProfileExport, 'telemetry_data' | 'gpu_energy'> & Record<string, unknown>;

/** Creates the fields of a profile export about GPUs from its metrics and its configuration. */
export function createGpuFields(
  gpus: PhaseGpus | undefined,
  blocks: Readonly<Record<string, ProfileMetric | undefined>>,
  inputConfig: Readonly<Record<string, unknown>>,
): GpuFields {
  if (!gpus || gpus.recording.sources.length === 0) return {};
  const { history } = gpus.recording;
  const concurrency = findConcurrency(inputConfig);
  const energy = computeEnergyMetrics({ history, window: toWindow(gpus), blocks, concurrency });
  return {
    ...energy.blocks,
    telemetry_data: describeTelemetry(gpus),
    ...(energy.records.length > 0 ? { gpu_energy: energy.records.map(toGpuEnergy) } : {}),
  };
}

/** Creates phases/<phase>/gpu_telemetry.json. */
export function createPhaseGpuTelemetry(
  gpus: PhaseGpus,
  phase: PhaseName,
  wasCancelled: boolean,
): PhaseGpuTelemetry {
  const { startNs, endNs } = gpus;
  return {
    data: describeTelemetry(gpus) as PhaseGpuTelemetry['data'],
    phase: {
      ...getPhasePosition(phase, true),
      start_ns: startNs,
      end_ns: endNs,
      was_cancelled: wasCancelled,
    },
    schema_version: 1,
    warnings: [],
  };
}

function describeTelemetry(gpus: PhaseGpus): TelemetryData {
  const { history, sources } = gpus.recording;
  const successful = new Set(history.series.map(({ source }) => source));
  return createTelemetryData(
    history,
    toWindow(gpus),
    { configured: sources, successful: sources.filter(url => successful.has(url)) },
    {
      start_time: formatUtc(gpus.startNs),
      end_time: formatUtc(gpus.endNs + BigInt(CLOSING_SAMPLE_NS)),
    },
  );
}

function toWindow({ recording: { history }, startNs, endNs }: PhaseGpus): Window {
  return { startNs: history.toRelative(startNs), endNs: history.toRelative(endNs) };
}

function toGpuEnergy({ platform, gpus, source, gapSeconds }: EnergyRecord): GpuEnergy {
  return {
    platform,
    gpu_count: gpus,
    ...(source === undefined ? {} : { source }),
    ...(gapSeconds > 0 ? { gap_seconds: gapSeconds } : {}),
  };
}

/** Returns the concurrency of the profiling phase; undefined if the load is limited by a rate. */
function findConcurrency({ phases }: Readonly<Record<string, unknown>>): number | undefined {
  const list = (Array.isArray(phases) ? phases : []) as readonly Readonly<Record<string, unknown>>[];
  const { concurrency } = list.find(({ kind }) => kind === 'profiling') ?? {};
  return typeof concurrency === 'number' && concurrency > 0 ? concurrency : undefined;
}
