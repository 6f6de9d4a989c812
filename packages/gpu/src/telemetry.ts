import type { Clock } from '@org/core';
import type { Target, UrlFetcher } from '@org/scrape';
import type { GpuMapEntry } from './assignment/gpuMap.ts';
import { CommandSource, LOCAL_COMMANDS } from './command/commandSource.ts';
import { findCommand } from './command/findCommand.ts';
import { ExporterSource } from './exporter/exporterSource.ts';
import { isSelected } from './gpuFilter.ts';
import { GpuHistory } from './history.ts';
import type { Platform } from './metrics.ts';
import type { GpuSample } from './sample.ts';
import type { GpuSource, SampleSink } from './source.ts';

/** The sources of a run's GPU telemetry. */
export interface GpuTelemetryPlan {
  /** Exporters that must be read. */
  readonly exporters: readonly Target[];
  /** Exporters that are read only if they respond with metrics of GPUs. */
  readonly probes: readonly Target[];
  /** Platforms whose command on this machine must be read. */
  readonly commands: readonly Platform[];
  /** Platforms whose command on this machine is read if it exists and no exporter responds. */
  readonly fallbacks: readonly Platform[];
  /** The GPUs to record, as in `isSelected`; empty for all. */
  readonly gpus: readonly string[];
  /** The GPUs of each server. Without it, GPUs are assigned to servers by host. */
  readonly map?: readonly GpuMapEntry[];
}

export interface GpuTelemetryOptions {
  readonly clock: Clock;
  /** Time between two samples, in milliseconds. */
  readonly intervalMs: number;
  readonly createFetcher: (target: Target) => UrlFetcher;
  /** Receives the samples of selected GPUs. */
  readonly onSamples: SampleSink;
  /** Folders to search for commands, separated as in `PATH`, which is the default. */
  readonly path?: string;
}

/** The state of a source. */
export interface SourceStatus {
  readonly url: string;
  readonly gpus: number;
  readonly failure: string | undefined;
  readonly interruptions: number;
}

/** Maximum wait for an exporter that may not exist, in milliseconds. */
const PROBE_LIMIT_MS = 1000;
/** The same for a local command, which has to load the driver. */
const PROBE_COMMAND_LIMIT_MS = 3000;
/** Maximum wait for the first sample of a source that must be read, in milliseconds. */
const OPEN_LIMIT_MS = 5000;

/** Collects the samples of a run from its sources. */
export class GpuTelemetry {
  readonly history: GpuHistory;
  readonly #plan: GpuTelemetryPlan;
  readonly #options: GpuTelemetryOptions;
  #sources: GpuSource[] = [];

  constructor(plan: GpuTelemetryPlan, options: GpuTelemetryOptions) {
    this.#plan = plan;
    this.#options = options;
    this.history = new GpuHistory(options.clock.nowNs());
  }

  /** The sources that are read. */
  get sources(): readonly SourceStatus[] {
    return this.#sources.map(({ url, gpuCount, failure, interruptions }) => ({
      url,
      gpus: gpuCount,
      failure,
      interruptions,
    }));
  }

  /** Takes the first sample of each source, and drops sources that do not exist and were not named. */
  async open(): Promise<void> {
    const { exporters, probes, commands, fallbacks } = this.#plan;
    const named = [
      ...exporters.map(target => this.#createExporter(target)),
      ...commands.map(platform => this.#createCommand(platform, LOCAL_COMMANDS[platform].command)),
    ];
    this.#sources.push(...named);
    await Promise.all([
      ...named.map(source => source.sample(OPEN_LIMIT_MS)),
      ...probes.map(target => this.#probe(this.#createExporter(target), PROBE_LIMIT_MS)),
    ]);
    if (this.#sources.some(({ gpuCount }) => gpuCount > 0)) return;
    await Promise.all(fallbacks.map(platform => this.#probeCommand(platform)));
  }

  /** Starts periodic samples. */
  start(): void {
    for (const source of this.#sources) source.start();
  }

  /** Takes a sample of each source, for the start or the end of a phase. */
  async sample(limitMs: number): Promise<void> {
    await Promise.all(this.#sources.map(source => source.sample(limitMs)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#sources.map(source => source.close()));
  }

  async #probe(source: GpuSource, limitMs: number): Promise<void> {
    await source.sample(limitMs);
    if (source.gpuCount > 0) this.#sources.push(source);
    else await source.close();
  }

  async #probeCommand(platform: Platform): Promise<void> {
    const command = findCommand(LOCAL_COMMANDS[platform].command, this.#options.path);
    if (command !== undefined)
      await this.#probe(this.#createCommand(platform, command), PROBE_COMMAND_LIMIT_MS);
  }

  #createExporter(target: Target): GpuSource {
    return new ExporterSource({ ...this.#options, target, onSamples: samples => this.#keep(samples) });
  }

  #createCommand(platform: Platform, command: string): GpuSource {
    const path = findCommand(command, this.#options.path) ?? command;
    return new CommandSource({
      ...this.#options,
      platform,
      command: path,
      onSamples: samples => this.#keep(samples),
    });
  }

  #keep(samples: readonly GpuSample[]): void {
    const selected = samples.filter(({ gpu }) => isSelected(gpu, this.#plan.gpus));
    for (const sample of selected) this.history.add(sample);
    if (selected.length > 0) this.#options.onSamples(selected);
  }
}
