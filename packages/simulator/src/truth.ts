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

/** A point in time: how much had been recorded by then. */
export interface Mark {
  /** Engine time, ns. */
  readonly atNs: number;
  readonly requests: number;
  readonly lengths: ReadonlyMap<string, number>;
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
  /** Requests that ended, in order of their end; write times are NaN for tokens that are not written yet. */
  readonly requests: readonly RequestRecord[];
}

/**
 * Records all observations and requests, independently of the metrics. Survives restarts of the simulated
 * server.
 */
export class TruthRecorder {
  readonly #histograms = new Map<string, Observations>();
  /** Deliveries may still change after the end of their request. */
  readonly #requests: { readonly record: RequestRecord; readonly delivery: Readonly<Delivery> }[] = [];

  /** Returns the observations of one histogram series; the same object for the same name and labels. */
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
  mark(atNs: number): Mark {
    const lengths = new Map<string, number>();
    for (const [key, observations] of this.#histograms) lengths.set(key, observations.length);
    return { atNs, requests: this.#requests.length, lengths };
  }

  /** Returns what was recorded after `from` and up to `to`. */
  selectBetween(from: Mark | undefined, to: Mark): Truth {
    const histograms = [...this.#histograms].map(([key, observations]) => ({
      name: observations.name,
      labels: observations.labels,
      values: observations.copyRange(from?.lengths.get(key) ?? 0, to.lengths.get(key) ?? 0),
    }));
    const requests = this.#requests
      .slice(from?.requests ?? 0, to.requests)
      .map(({ record, delivery }) => ({ ...record, ...delivery }));
    return { fromNs: from?.atNs ?? 0, toNs: to.atNs, histograms, requests };
  }
}
