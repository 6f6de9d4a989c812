import { Random } from '@org/core';
import { Cluster } from './engine/cluster.ts';
import { Engine } from './engine/engine.ts';
import type { Request, RequestSpec, RequestWatcher } from './engine/request.ts';
import { checkServerFaults, computeSlowdown } from './faults/serverFault.ts';
import { GpuModel } from './gpu/gpuModel.ts';
import { createGpuPage } from './gpu/gpuPage.ts';
import type { Page, Profile } from './profiles/profile.ts';
import { PROFILES } from './profiles/profiles.ts';
import { DEFAULT_SIMULATOR_OPTIONS, type SimulatorOptions } from './simulatorOptions.ts';
import { createConstantLoad } from './traffic/load.ts';
import { Traffic } from './traffic/traffic.ts';
import { type Mark, type Truth, TruthRecorder } from './truth.ts';

/**
 * An inference server in simulated time: engines, incoming traffic and metrics pages. Times are in ns since
 * the start of the simulation.
 */
export class Simulation {
  readonly options: SimulatorOptions;
  readonly #recorder = new TruthRecorder();
  readonly #traffic: Traffic;
  /** The GPUs of the server, with their true energy. */
  readonly gpus: GpuModel;
  #startTimeNs: bigint;
  #restarts = 0;
  #nowNs = 0;
  #cluster: Cluster;
  #profile: Profile;

  constructor(options: Partial<SimulatorOptions> = {}) {
    this.options = { ...DEFAULT_SIMULATOR_OPTIONS, ...options };
    this.#startTimeNs = this.options.startTimeNs;
    const { load, arrivalRate, workload, maxModelLen, seed } = this.options;
    const random = new Random(seed).fork('traffic');
    this.#traffic = new Traffic(load ?? createConstantLoad(arrivalRate), workload, maxModelLen, random);
    checkServerFaults(this.options.serverFaults, this.options);
    this.gpus = new GpuModel(this.options.gpus, 0, this.options.serverFaults);
    [this.#cluster, this.#profile] = this.#createServer();
  }

  get nowNs(): number {
    return this.#nowNs;
  }

  /** Simulated Unix time, in ns. */
  get timeNs(): bigint {
    return this.#startTimeNs + BigInt(this.#nowNs);
  }

  /**
   * Sets the current Unix time, in ns. Existing series keep their creation times, unless the simulated time is
   * still 0.
   */
  setWallTime(timeNs: bigint): void {
    this.#startTimeNs = timeNs - BigInt(this.#nowNs);
    if (this.#nowNs === 0) [this.#cluster, this.#profile] = this.#createServer();
  }

  /** Returns the page with the given name; the first text page by default. Throws RangeError if it does not exist. */
  getPage(name?: string): Page {
    const match = this.pages.find(page => (name === undefined ? page.format === 'text' : page.name === name));
    if (!match) {
      const names = this.pages.map(page => page.name).join(', ');
      throw new RangeError(
        `${name === undefined ? 'a text page' : `page "${name}"`} does not exist; the pages are ${names}`,
      );
    }
    return match;
  }

  /** Time of the next event, in ns; Infinity if no event is pending. */
  get nextEventNs(): number {
    return this.#cluster.nextEventNs;
  }

  get pages(): readonly Page[] {
    return this.#profile.pages;
  }

  get profile(): Profile {
    return this.#profile;
  }

  get engines(): readonly Engine[] {
    return this.#cluster.engines;
  }

  /** Advances to a time, in ns since the start of the simulation. */
  advanceTo(ns: number): void {
    this.#cluster.advanceTo(ns);
    this.#nowNs = ns;
  }

  /** Submits a request now. */
  submit(spec: RequestSpec, watcher?: RequestWatcher): Request {
    return this.#cluster.submit(spec, watcher);
  }

  /** Aborts a request whose client disconnected. Requests from before a restart are ignored. */
  abort(request: Request): void {
    this.#cluster.abort(request);
  }

  /** Simulates a restart of the server process: requests are lost, and counters restart at 0. */
  restart(): void {
    this.#restarts += 1;
    [this.#cluster, this.#profile] = this.#createServer();
  }

  /** Returns a mark of the current time. */
  mark(): Mark {
    const gpuJoules = Array.from({ length: this.gpus.count }, (_, gpu) =>
      this.gpus.getJoules(gpu, this.#nowNs),
    );
    return this.#recorder.mark(this.#nowNs, gpuJoules);
  }

  /**
   * Returns the truth from one mark (default: the start) to another (default: now). Throws if the simulation
   * does not record truth.
   */
  getTruth(from?: Mark, to: Mark = this.mark()): Truth {
    if (!this.options.recordTruth) {
      throw new Error('truth was not recorded: create the simulator with recordTruth: true');
    }
    return this.#recorder.selectBetween(from, to);
  }

  #createServer(): [Cluster, Profile] {
    const { options } = this;
    const engines = Array.from({ length: options.engines }, (_, index) => {
      return new Engine({
        ...options,
        speed: options.speed / computeSlowdown(options.serverFaults, index),
        index,
        startNs: this.#nowNs,
        seed: options.seed + 7919 * this.#restarts,
      });
    });
    if (options.recordTruth) {
      for (const engine of engines)
        engine.observe({ onFinished: request => this.#recorder.addRequest(request) });
    }
    const profile = PROFILES[options.kind]({
      engines,
      model: options.model,
      nowNs: () => this.#nowNs,
      getTimeS: (atNs = this.#nowNs) => Number((this.#startTimeNs + BigInt(atNs)) / 1000n) / 1e6,
      truth: options.recordTruth ? this.#recorder : undefined,
      trtllm: options.trtllm,
      dynamoRouter: options.dynamoRouter,
      serverFaults: options.serverFaults,
      kvCacheMetrics: options.kvCacheMetrics,
    });
    this.gpus.observe(engines);
    return [new Cluster(engines, this.#traffic), this.#addGpuPage(profile)];
  }

  #addGpuPage(profile: Profile): Profile {
    if (this.gpus.count === 0) return profile;
    const page = createGpuPage(this.options.gpuExporter, this.gpus, () => this.#nowNs);
    return {
      pages: [...profile.pages, page],
      recordExchange: exchange => profile.recordExchange?.(exchange),
    };
  }
}
