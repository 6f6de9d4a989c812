import type { GpuTelemetryRecord } from '@org/formats';
import { fromPath, isSourceError, readGpuTelemetryRecords } from '@org/formats/read';
import type { Run } from './run.ts';
import type { RunGpu } from './runGpu.ts';

/** A value of a GPU and its time. */
export interface GpuValue {
  readonly timeNs: bigint;
  readonly value: number;
}

/** A GPU whose samples are being read. */
type OpenGpu = Omit<RunGpu, 'timesNs' | 'values'> & {
  readonly timesNs: bigint[];
  readonly values: Map<string, number[]>;
};

/** The samples of GPUs, by GPU. */
export class GpuSamples {
  readonly #gpus = new Map<string, OpenGpu>();

  /** Adds a line of gpu_telemetry_export.jsonl. */
  add(record: GpuTelemetryRecord): void {
    const source = record.telemetry_source_url ?? record.dcgm_url ?? '';
    const key = JSON.stringify([source, record.hostname, record.gpu_uuid]);
    let gpu = this.#gpus.get(key);
    if (!gpu) {
      gpu = {
        index: record.gpu_index,
        uuid: record.gpu_uuid,
        model: record.gpu_model_name,
        ...(record.hostname == null ? {} : { hostname: record.hostname }),
        source,
        timesNs: [],
        values: new Map(),
      };
      this.#gpus.set(key, gpu);
    }
    addSample(gpu, record.timestamp_ns, record.telemetry_data);
  }

  /** The GPUs in the order of their first samples. They contain samples that are added later, too. */
  get gpus(): RunGpu[] {
    return [...this.#gpus.values()];
  }
}

/**
 * Reads the samples of GPUs from gpu_telemetry_export.jsonl. Skips invalid lines, such as a last line that a kill truncated.
 * A file that cannot be read contains no GPUs.
 */
export async function readRunGpus(path: string): Promise<RunGpu[]> {
  const samples = new GpuSamples();
  try {
    for await (const record of readGpuTelemetryRecords(fromPath(path), { onIssue: () => {} }))
      samples.add(record);
  } catch (error) {
    if (!isSourceError(error)) throw error;
  }
  return samples.gpus;
}

function addSample(
  { timesNs, values }: OpenGpu,
  timeNs: bigint,
  data: Readonly<Record<string, number | null>>,
): void {
  for (const [field, value] of Object.entries(data)) {
    if (value === null) continue;
    let column = values.get(field);
    if (!column) {
      column = [];
      values.set(field, column);
    }
    while (column.length < timesNs.length) column.push(Number.NaN);
    column.push(value);
  }
  timesNs.push(BigInt(timeNs));
}

/**
 * Returns the values of a metric of a GPU in the profiling phase, or in the whole run if the phase is unknown. Samples without
 * a value are omitted.
 */
export function readGpuValues({ times }: Pick<Run, 'times'>, gpu: RunGpu, field: string): GpuValue[] {
  const { profilingStartNs: from, profilingEndNs: to } = times;
  const column = gpu.values.get(field) ?? [];
  return column.flatMap((value, at) => {
    const timeNs = gpu.timesNs[at]!;
    const isInPhase = (from === undefined || timeNs >= from) && (to === undefined || timeNs <= to);
    return isInPhase && !Number.isNaN(value) ? [{ timeNs, value }] : [];
  });
}
