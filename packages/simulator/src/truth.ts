import { type Labels, labelsKey } from '@org/core';
import type { Delivery, Request, RequestRecord } from './engine/request.ts';
import { recordOf } from './engine/request.ts';

/** Every value that one histogram has observed, in order. Grows as needed. */
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

  /** A copy of the values from index `from` to before `to`. */
  slice(from: number, to: number = this.#length): Float64Array {
    return this.#values.slice(from, Math.min(to, this.#length));
  }
}

/** A point in a run: how much had been recorded by then. */
export interface Mark {
  /** Engine time, ns. */
  readonly atNs: number;
  readonly requests: number;
  readonly lengths: ReadonlyMap<string, number>;
}

/** What one histogram observed between two marks. */
export interface HistogramTruth {
  readonly name: string;
  readonly labels: Labels;
  readonly values: Float64Array;
}

/** What really happened between two marks. */
export interface Truth {
  readonly fromNs: number;
  readonly toNs: number;
  readonly histograms: readonly HistogramTruth[];
  /** The requests that ended, in the order in which they did; of tokens still to be written the times are missing. */
  readonly requests: readonly RequestRecord[];
}

/** Records what really happened, beside the metrics that only tell of it. Survives a restart of the server. */
export class TruthRecorder {
  readonly #histograms = new Map<string, Observations>();
  /** Their deliveries go on when they have ended. */
  readonly #requests: { readonly record: RequestRecord; readonly delivery: Readonly<Delivery> }[] = [];

  /** The record of one histogram series; the same one for the same name and labels. */
  observations(name: string, labels: Labels): Observations {
    const key = `${name} ${labelsKey(labels)}`;
    let observations = this.#histograms.get(key);
    if (!observations) {
      observations = new Observations(name, labels);
      this.#histograms.set(key, observations);
    }
    return observations;
  }

  ended(request: Request): void {
    this.#requests.push({ record: recordOf(request), delivery: request.delivery });
  }

  /** Remembers this point. */
  mark(atNs: number): Mark {
    const lengths = new Map<string, number>();
    for (const [key, observations] of this.#histograms) lengths.set(key, observations.length);
    return { atNs, requests: this.#requests.length, lengths };
  }

  /** What happened after `from` and not after `to`. */
  between(from: Mark | undefined, to: Mark): Truth {
    const histograms = [...this.#histograms].map(([key, observations]) => ({
      name: observations.name,
      labels: observations.labels,
      values: observations.slice(from?.lengths.get(key) ?? 0, to.lengths.get(key) ?? 0),
    }));
    const requests = this.#requests
      .slice(from?.requests ?? 0, to.requests)
      .map(({ record, delivery }) => ({ ...record, ...delivery }));
    return { fromNs: from?.atNs ?? 0, toNs: to.atNs, histograms, requests };
  }
}
