import { formatLabelsKey, type Labels } from '@org/core';
import { type Delivery, type Request, type RequestRecord, toRequestRecord } from './engine/request.ts';

/** All observations of one histogram, in order. */
export class Observations {
  readonly name: string;
  readonly labels: Labels;
  #values = new Float64Array(64);
  #length = 0;

  constructor(name: string, labels: Labels) {
    this.name = name;
    this.labels = labels;
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** Returns a copy of the values from index `from` up to but excluding `to`. */
  copyRange(from: number, to: number = this.#length): Float64Array {
    return this.#values.slice(from, Math.min(to, this.#length));
  }
}

/** A point in time, with the amount of data recorded by then. */
export interface Mark {
  /** Time in ns since the start of the simulation. */
  readonly atNs: number;
  /** Number of requests that had ended. */
  readonly requests: number;
  /** Number of observations by histogram. */
  readonly lengths: ReadonlyMap<string, number>;
  /** Energy of each GPU since the start of the simulation, in joules. */
  readonly gpuJoules: readonly number[];
}

/** Observations of one histogram between two marks. */
export interface HistogramTruth {
  readonly name: string;
  readonly labels: Labels;
  readonly values: Float64Array;
}

/** The true observations and requests between two marks. */
export interface Truth {
  readonly fromNs: number;
  readonly toNs: number;
  readonly histograms: readonly HistogramTruth[];
  /** Requests in order of completion; write times are NaN for tokens not yet written. */
  readonly requests: readonly RequestRecord[];
  /** Energy of each GPU between the marks, in joules. */
  readonly gpuJoules: readonly number[];
}

/**
 * Records all observations and requests, independently of the metrics. Survives restarts of the simulated
 * server.
 */
export class TruthRecorder {
  readonly #histograms = new Map<string, Observations>();
  /**
   * Records of ended requests. Deliveries are stored separately, because they may still change after a request
   * has ended.
   */
  readonly #requests: { readonly record: RequestRecord; readonly delivery: Readonly<Delivery> }[] = [];

  /** Returns the observations of a histogram series; always the same object for the same name and labels. */
  getObservations(name: string, labels: Labels): Observations {
    const key = `${name} ${formatLabelsKey(labels)}`;
    let observations = this.#histograms.get(key);
    if (!observations) {
      observations = new Observations(name, labels);
      this.#histograms.set(key, observations);
    }
    return observations;
  }

  /** Adds a request that has ended. */
  addRequest(request: Request): void {
    this.#requests.push({ record: toRequestRecord(request), delivery: request.delivery });
  }

  /** Returns a mark of the current state. */
  mark(atNs: number, gpuJoules: readonly number[] = []): Mark {
    const lengths = new Map<string, number>();
    for (const [key, observations] of this.#histograms) lengths.set(key, observations.length);
    return { atNs, requests: this.#requests.length, lengths, gpuJoules };
  }

  /** Returns the observations and requests recorded after `from` (default: the start) and up to `to`. */
  selectBetween(from: Mark | undefined, to: Mark): Truth {
    const histograms = [...this.#histograms].map(([key, observations]) => ({
      name: observations.name,
      labels: observations.labels,
      values: observations.copyRange(from?.lengths.get(key) ?? 0, to.lengths.get(key) ?? 0),
    }));
    const requests = this.#requests
      .slice(from?.requests ?? 0, to.requests)
      .map(({ record, delivery }) => ({ ...record, ...delivery }));
    const gpuJoules = to.gpuJoules.map((joules, gpu) => joules - (from?.gpuJoules[gpu] ?? 0));
    return { fromNs: from?.atNs ?? 0, toNs: to.atNs, histograms, requests, gpuJoules };
  }
}
