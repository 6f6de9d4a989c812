import { Random } from '@org/core';
import { Cluster } from './engine/cluster.ts';
import { Engine } from './engine/engine.ts';
import type { Request, RequestSpec, RequestWatcher } from './engine/request.ts';
import type { Page, Profile } from './profiles/profile.ts';
import { PROFILES } from './profiles/profiles.ts';
import { DEFAULT_SIMULATOR_OPTIONS, type SimulatorOptions } from './simulatorOptions.ts';
import { createConstantLoad } from './traffic/load.ts';
import { Traffic } from './traffic/traffic.ts';
import { type Mark, type Truth, TruthRecorder } from './truth.ts';

/**
 * A server in simulated time: engines, the traffic that reaches them, and the metrics pages. Times are ns
 * since its start.
 */
export class Simulation {
  readonly options: SimulatorOptions;
  readonly #recorder = new TruthRecorder();
  readonly #traffic: Traffic;
  #startTimeNs: bigint;
  #restarts = 0;
  #now = 0;
  #cluster: Cluster;
  #profile: Profile;

  constructor(options: Partial<SimulatorOptions> = {}) {
    this.options = { ...DEFAULT_SIMULATOR_OPTIONS, ...options };
    this.#startTimeNs = this.options.startTimeNs;
    const { load, arrivalRate, workload, maxModelLen, seed } = this.options;
    const traffic = new Random(seed).fork('traffic');
    this.#traffic = new Traffic(load ?? createConstantLoad(arrivalRate), workload, maxModelLen, traffic);
    [this.#cluster, this.#profile] = this.#createServer();
  }

  get nowNs(): number {
    return this.#now;
  }

  /** Simulated wall time, ns since 1970. */
  get timeNs(): bigint {
    return this.#startTimeNs + BigInt(this.#now);
  }

  /** Sets the current wall time. Creation times of existing series stay, unless no time has passed yet. */
  setWallTime(timeNs: bigint): void {
    this.#startTimeNs = timeNs - BigInt(this.#now);
    if (this.#now === 0) [this.#cluster, this.#profile] = this.#createServer();
  }

  /** Returns a page by name, or the first text page. Throws RangeError if it does not exist. */
  getPage(name?: string): Page {
    const found = this.pages.find(page => (name === undefined ? page.format === 'text' : page.name === name));
    if (!found) {
      const names = this.pages.map(page => page.name).join(', ');
      throw new RangeError(
        `${name === undefined ? 'a text page' : `page "${name}"`} does not exist; the pages are ${names}`,
      );
    }
    return found;
  }

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

  /** Advances to a time. */
  advanceTo(ns: number): void {
    this.#cluster.advanceTo(ns);
    this.#now = ns;
  }

  /** Submits a request now. */
  submit(spec: RequestSpec, watcher?: RequestWatcher): Request {
    return this.#cluster.submit(spec, watcher);
  }

  /** Aborts a request whose client disconnected. Requests from before a restart are ignored. */
  abort(request: Request): void {
    this.#cluster.abort(request);
  }

  /** Simulates a restart of the process: requests are lost, counters restart at 0. */
  restart(): void {
    this.#restarts += 1;
    [this.#cluster, this.#profile] = this.#createServer();
  }

  mark(): Mark {
    return this.#recorder.mark(this.#now);
  }

  /** Returns the truth from one mark (or the start) to another (or now). Throws if truth is not recorded. */
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
        index,
        startNs: this.#now,
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
      nowNs: () => this.#now,
      getTimeS: (atNs = this.#now) => Number((this.#startTimeNs + BigInt(atNs)) / 1000n) / 1e6,
      truth: options.recordTruth ? this.#recorder : undefined,
      trtllm: options.trtllm,
    });
    return [new Cluster(engines, this.#traffic), profile];
  }
}
