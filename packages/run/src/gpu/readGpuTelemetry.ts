import { fromPath, isSourceError, readGpuTelemetryRecords } from '@org/formats/read';
import { fromTelemetryRecord, GpuHistory, type GpuMapEntry, parseGpuMapEntry } from '@org/gpu';
import { isRegularFile } from '../export/regularFile.ts';
import type { GpuRecording } from './gpuRecorder.ts';

/**
 * Reads the GPU telemetry of a run from gpu_telemetry_export.jsonl; undefined without such a file. Skips invalid lines, such
 * as a last line that a kill truncated, and samples from before `startNs`. A file that cannot be read counts as none: it
 * costs only the figures about GPUs.
 */
export async function readGpuTelemetry(
  path: string,
  startNs: bigint,
  map: readonly GpuMapEntry[],
): Promise<GpuRecording | undefined> {
  if (!isRegularFile(path)) return undefined;
  const history = new GpuHistory(startNs);
  try {
    for await (const record of readGpuTelemetryRecords(fromPath(path), { onIssue: () => {} }))
      if (BigInt(record.timestamp_ns) >= startNs) history.add(fromTelemetryRecord(record));
  } catch (error) {
    if (!isSourceError(error)) throw error;
  }
  const sources = [...new Set(history.series.map(({ source }) => source))];
  return sources.length === 0 ? undefined : { history, sources, map };
}

/** Reads the recorded option --gpu-map of a run. */
export function readRecordedMap(config: Readonly<Record<string, unknown>> | undefined): GpuMapEntry[] {
  const { gpu_map: entries } = config ?? {};
  return (Array.isArray(entries) ? entries : []).flatMap(entry => parseGpuMapEntry(String(entry)) ?? []);
}
