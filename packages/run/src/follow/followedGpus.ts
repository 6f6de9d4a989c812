import { GpuSamples, type RunGpu } from '@org/analysis';
import { readGpuTelemetryRecords } from '@org/formats/read';
import { fromTelemetryRecord, GpuHistory, type GpuMapEntry } from '@org/gpu';
import { GrowingLines } from '@org/record/follow';
import type { GpuRecording } from '../gpu/gpuRecorder.ts';

/** Reads the GPU telemetry of an active run. Only appended lines are read. */
export class FollowedGpus {
  readonly #lines: GrowingLines;
  readonly #startNs: bigint;
  readonly #map: readonly GpuMapEntry[];
  #samples = new GpuSamples();
  #history: GpuHistory;

  /**
   * @param path the file gpu_telemetry_export.jsonl, which may not exist
   * @param startNs start of the run in nanoseconds since 1970; samples before it belong to an earlier run
   */
  constructor(path: string, startNs: bigint, map: readonly GpuMapEntry[]) {
    this.#lines = new GrowingLines(path);
    this.#startNs = startNs;
    this.#map = map;
    this.#history = new GpuHistory(startNs);
  }

  /** The GPUs with their samples so far. */
  get gpus(): readonly RunGpu[] {
    return this.#samples.gpus;
  }

  /** The telemetry so far, used to compute energy; undefined without samples. */
  get recording(): GpuRecording | undefined {
    const sources = [...new Set(this.#history.series.map(({ source }) => source))];
    return sources.length === 0 ? undefined : { history: this.#history, sources, map: this.#map };
  }

  /** Reads the appended samples. Lines that cannot be read are skipped. */
  async read(): Promise<void> {
    const { bytes, isRestarted } = await this.#lines.read();
    if (isRestarted) {
      this.#samples = new GpuSamples();
      this.#history = new GpuHistory(this.#startNs);
    }
    if (bytes.length === 0) return;
    for await (const record of readGpuTelemetryRecords(bytes, { onIssue: () => {} })) {
      if (BigInt(record.timestamp_ns) < this.#startNs) continue;
      this.#samples.add(record);
      this.#history.add(fromTelemetryRecord(record));
    }
  }
}
