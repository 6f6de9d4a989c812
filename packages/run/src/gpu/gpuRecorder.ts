import type { GpuTelemetryRecord } from '@org/formats';
import type { LineWriter, WriteResult } from '@org/formats/write';
import {
  type GpuHistory,
  type GpuMapEntry,
  type GpuSample,
  GpuTelemetry,
  type GpuTelemetryPlan,
  toTelemetryRecord,
} from '@org/gpu';
import { prepareLateImport } from '../lifecycle/lateImport.ts';
import { createFetcher } from '../lifecycle/targetFetcher.ts';
import type { RunContext } from '../runContext.ts';

/** The GPU telemetry of a run. */
export interface GpuRecording {
  readonly history: GpuHistory;
  /** URLs of the sources that were found or named. */
  readonly sources: readonly string[];
  /** The GPUs of each server, as the user states them; empty to assign GPUs by host. */
  readonly map: readonly GpuMapEntry[];
}

/** Maximum wait for a sample at the start and the end of profiling, in milliseconds. */
const BOUNDARY_LIMIT_MS = 1000;

/** Loads the writers of exports, which take memory, only if there are GPUs. */
function importWriter(): Promise<typeof import('@org/formats/write')> {
  prepareLateImport();
  return import('@org/formats/write');
}

/** The file of samples, and the function that formats its lines. */
interface SampleWriter {
  readonly lines: LineWriter;
  readonly formatLine: (record: GpuTelemetryRecord) => string;
}

async function openWriter(path: string): Promise<SampleWriter> {
  const { openLines, writeGpuTelemetryLine } = await importWriter();
  return { lines: await openLines(path), formatLine: writeGpuTelemetryLine };
}

/** Collects the GPU telemetry of a run, and writes each sample to gpu_telemetry_export.jsonl. */
export class GpuRecorder {
  readonly #telemetry: GpuTelemetry;
  readonly #emit: RunContext['emit'];
  readonly #path: string;
  readonly #isAiperf: boolean;
  readonly #map: readonly GpuMapEntry[];
  /** Opened for the first sample, so that a run without GPUs has no file. */
  #writer: Promise<SampleWriter> | undefined;
  #openError: unknown;
  #isClosed = false;

  constructor({ plan, clock, emit }: RunContext, sources: GpuTelemetryPlan, path: string) {
    const { settings } = plan;
    this.#emit = emit;
    this.#path = path;
    this.#map = sources.map ?? [];
    this.#isAiperf = plan.exports.compatibility !== 'servelens';
    this.#telemetry = new GpuTelemetry(sources, {
      clock,
      intervalMs: settings.intervalMs,
      createFetcher: target => createFetcher(target, clock, settings),
      onSamples: samples => this.#write(samples),
    });
  }

  /** The telemetry so far. */
  get recording(): GpuRecording {
    const { history, sources } = this.#telemetry;
    return { history, sources: sources.map(({ url }) => url), map: this.#map };
  }

  /** Reads each source once. */
  async open(): Promise<void> {
    await this.#telemetry.open();
    this.#emit({ type: 'gpu_sources_opened', sources: this.#telemetry.sources });
  }

  /** Starts periodic samples. */
  start(): void {
    this.#telemetry.start();
  }

  /** Takes a sample at the start or the end of a phase. */
  async sample(): Promise<void> {
    await this.#telemetry.sample(BOUNDARY_LIMIT_MS);
  }

  /** Ends the collection. Returns the outcome of writing the file; undefined without samples. */
  async close(): Promise<WriteResult | undefined> {
    if (!this.#isClosed) await this.#telemetry.close();
    this.#isClosed = true;
    const writer = await this.#writer?.catch(() => undefined);
    if (writer) return writer.lines.close();
    if (this.#openError === undefined) return undefined;
    const { describeWriteError } = await importWriter();
    return describeWriteError(this.#path, this.#openError);
  }

  #write(samples: readonly GpuSample[]): void {
    if (this.#isClosed) return;
    this.#writer ??= openWriter(this.#path);
    this.#writer
      .then(({ lines, formatLine }) => {
        const options = { isAiperf: this.#isAiperf };
        for (const sample of samples) void lines.append(formatLine(toTelemetryRecord(sample, options)));
      })
      .catch((error: unknown) => {
        this.#openError ??= error;
      });
  }
}
