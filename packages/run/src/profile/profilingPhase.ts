import type { Clock } from '@org/core';
import type { OverSaturation } from '@org/formats';
import type { LoadSummary } from '@org/loadgen';
import { LOAD_MARK, type LoadBoundary, type LoadEnd } from '@org/record/journal';
import type { ServerCatalog } from '@org/servers';
import type { GpuRecorder } from '../gpu/gpuRecorder.ts';
import type { RunLifecycle } from '../lifecycle/runLifecycle.ts';
import { countRunningRequests } from '../reconciliation/serverCounts.ts';
import type { NetworkLatency } from './networkLatency.ts';
import type { RequestRecorder } from './requestRecorder.ts';

/** Components that measure the profiling phase of a run. */
interface Measurements {
  readonly lifecycle: RunLifecycle;
  readonly recorder: RequestRecorder;
  readonly network: NetworkLatency;
  readonly gpus: GpuRecorder | undefined;
  readonly catalog: ServerCatalog;
  readonly clock: Clock;
}

/** The start and the end of the profiling phase of a load, measured on the servers and the GPUs, and journaled. */
export class ProfilingPhase {
  readonly #measurements: Measurements;
  #ending: Promise<void> | undefined;
  #endNs: bigint | undefined;
  #runningAtStart: number | undefined;
  #runningAtEnd: number | undefined;

  constructor(measurements: Measurements) {
    this.#measurements = measurements;
  }

  /** End of the phase, in nanoseconds since 1970; undefined until it has ended. */
  get endNs(): bigint | undefined {
    return this.#endNs;
  }

  /** Number of requests that the servers were processing at the start of the phase; undefined if it is unknown. */
  get runningAtStart(): number | undefined {
    return this.#runningAtStart;
  }

  /** Number of requests that the servers were processing at the end of the phase; undefined if it is unknown. */
  get runningAtEnd(): number | undefined {
    return this.#runningAtEnd;
  }

  /** Starts the phase before its first request is sent. */
  async start(): Promise<void> {
    const { gpus, lifecycle, recorder } = this.#measurements;
    await gpus?.sample();
    const startNs = (await lifecycle.phases.start())!;
    recorder.profilingStartNs = startNs;
    this.#runningAtStart = this.#countRunning();
    const data: LoadBoundary = this.#describeBoundary(this.#runningAtStart);
    lifecycle.journal.addMark({ kind: LOAD_MARK.started, atNs: startNs, data });
  }

  /** Ends the phase after its last request has ended. `waitForEnd` waits until the closing samples are taken. */
  end(): void {
    this.#ending = this.#takeClosingSamples();
  }

  /** Waits until the phase has ended, if its end has begun. */
  async waitForEnd(): Promise<void> {
    await this.#ending;
  }

  /** Journals the end of the load. `overSaturation` is present if it was ended because of it. */
  journalEnd(atNs: bigint, summary: LoadSummary, overSaturation: OverSaturation | undefined): void {
    const data: LoadEnd = {
      summary,
      ...this.#describeBoundary(this.#runningAtEnd),
      ...(this.#endNs === undefined ? {} : { profilingEndNs: this.#endNs }),
      ...(overSaturation ? { overSaturation } : {}),
    };
    this.#measurements.lifecycle.journal.addMark({ kind: LOAD_MARK.ended, atNs, data });
  }

  async #takeClosingSamples(): Promise<void> {
    const { clock, gpus, lifecycle, network } = this.#measurements;
    const lastRequestNs = clock.nowNs();
    const [endNs] = await Promise.all([lifecycle.phases.end(), gpus?.sample(), network.stop()]);
    this.#endNs = endNs ?? lastRequestNs;
    this.#runningAtEnd = this.#countRunning();
  }

  #countRunning(): number | undefined {
    const { lifecycle, catalog } = this.#measurements;
    return countRunningRequests(lifecycle.endpoints, catalog);
  }

  #describeBoundary(running: number | undefined): LoadBoundary {
    const { warmupCutOff } = this.#measurements.recorder;
    return { warmupCutOff, ...(running === undefined ? {} : { running }) };
  }
}
