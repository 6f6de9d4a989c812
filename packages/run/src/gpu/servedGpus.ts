import type { PhaseGpuTelemetry } from '@org/formats';
import { type WriteResult, writeFileAtomic, writePhaseGpuTelemetryJson } from '@org/formats/write';
import { getServers } from '@org/record/servers';
import { listPhases } from '@org/record/view';
import { makePhaseFolder } from '../export/phaseServerMetrics.ts';
import type { ServerMetrics } from '../lifecycle/runStorage.ts';
import { getPhasePaths } from '../profile/profilePaths.ts';
import { createServedGpuTelemetry } from './gpuMetrics.ts';
import type { GpuRecording } from './gpuRecorder.ts';

/** GPU telemetry of a run without a load generator, and the outcome of writing it. */
export interface ServedGpus {
  readonly document: PhaseGpuTelemetry;
  readonly file: WriteResult;
}

/**
 * Writes phases/profiling/gpu_telemetry.json of a run without a load generator; undefined if no source of GPU telemetry was
 * found.
 */
export async function writeServedGpus(
  recording: GpuRecording,
  { record, exports }: Pick<ServerMetrics, 'record' | 'exports'>,
  { folder, prefix }: { readonly folder: string; readonly prefix?: string },
): Promise<ServedGpus | undefined> {
  if (recording.sources.length === 0) return undefined;
  const { startNs, endNs } = record.period;
  const document = createServedGpuTelemetry(
    { recording, startNs, endNs },
    record.cancelled,
    listPhases(record).warmup !== undefined,
    { document: exports.document, catalog: getServers(record) },
  );
  const path = getPhasePaths(folder, prefix, 'profiling').gpuTelemetry;
  const file =
    (await makePhaseFolder(path)) ?? (await writeFileAtomic(path, writePhaseGpuTelemetryJson(document)));
  return { document, file };
}
