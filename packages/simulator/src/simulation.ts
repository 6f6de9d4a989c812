import { Cluster } from './engine/cluster.ts';
import { Engine } from './engine/engine.ts';
import type { Request, RequestSpec, RequestWatcher } from './engine/request.ts';
import { constantLoad } from './load.ts';
import { defaultSimulatorOptions, type SimulatorOptions } from './options.ts';
import { profiles } from './profiles/index.ts';
import type { Page, Profile } from './profiles/profile.ts';
import { Random } from './random.ts';
import { Traffic } from './traffic.ts';
import { type Mark, type Truth, TruthRecorder } from './truth.ts';

/**
 * A server in simulated time: engines, the traffic that reaches them, and the pages that tell of it.
 * Times are ns since its start.
 */
export class Simulation {
  readonly options: SimulatorOptions;
  readonly #recorder = new TruthRecorder();
  readonly #traffic: Traffic;
  #startTimeNs: bigint;
  #lives = 0;
  #now = 0;
  #cluster: Cluster;
  #profile: Profile;

  constructor(options: Partial<SimulatorOptions> = {}) {
    this.options = { ...defaultSimulatorOptions, ...options };
    this.#startTimeNs = this.options.startTimeNs;
    const { load, arrivalRate, workload, maxModelLen, seed } = this.options;
    const traffic = new Random(seed).fork('traffic');
    this.#traffic = new Traffic(load ?? constantLoad(arrivalRate), workload, maxModelLen, traffic);
    [this.#cluster, this.#profile] = this.#begin();
  }

  get nowNs(): number {
    return this.#now;
  }

  /** Wall time that it pretends to be, in ns since 1970. */
  get timeNs(): bigint {
    return this.#startTimeNs + BigInt(this.#now);
  }

  /** Lets wall time be `timeNs` now. What was created before keeps its time, unless nothing has happened yet. */
  placeAt(timeNs: bigint): void {
    this.#startTimeNs = timeNs - BigInt(this.#now);
    if (this.#now === 0) [this.#cluster, this.#profile] = this.#begin();
  }

  /** A page by its name, or the first that is text. */
  page(name?: string): Page {
    const found = this.pages.find(page => (name === undefined ? page.format === 'text' : page.name === name));
    if (!found) {
      const names = this.pages.map(page => page.name).join(', ');
      throw new RangeError(`page "${name ?? 'with text'}" does not exist; this server has ${names}`);
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

  /** Moves time forward to `ns`. */
  advanceTo(ns: number): void {
    this.#cluster.advanceTo(ns);
    this.#now = ns;
  }

  /** Lets a request arrive now. */
  submit(spec: RequestSpec, watcher?: RequestWatcher): Request {
    return this.#cluster.submit(spec, watcher);
  }

  /** The client of a request is gone. A request of an earlier life went with it. */
  abort(request: Request): void {
    this.#cluster.abort(request);
  }

  /** As if the process had been killed and started again: requests are lost, every counter begins at 0. */
  restart(): void {
    this.#lives += 1;
    [this.#cluster, this.#profile] = this.#begin();
  }

  mark(): Mark {
    return this.#recorder.mark(this.#now);
  }

  /** What really happened from one mark (or the start) to another (or now). Throws when truth is not recorded. */
  truth(from?: Mark, to: Mark = this.mark()): Truth {
    if (!this.options.recordTruth) {
      throw new Error('truth was not recorded: create the simulator with recordTruth: true');
    }
    return this.#recorder.between(from, to);
  }

  #begin(): [Cluster, Profile] {
    const { options } = this;
    const engines = Array.from({ length: options.engines }, (_, index) => {
      return new Engine({ ...options, index, startNs: this.#now, seed: options.seed + 7919 * this.#lives });
    });
    if (options.recordTruth) {
      for (const engine of engines) engine.observe({ finished: request => this.#recorder.ended(request) });
    }
    const profile = profiles[options.kind]({
      engines,
      model: options.model,
      nowNs: () => this.#now,
      clockS: (atNs = this.#now) => Number((this.#startTimeNs + BigInt(atNs)) / 1000n) / 1e6,
      truth: options.recordTruth ? this.#recorder : undefined,
      trtllm: options.trtllm,
    });
    return [new Cluster(engines, this.#traffic), profile];
  }
}
