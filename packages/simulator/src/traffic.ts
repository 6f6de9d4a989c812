import { type Distribution, draw } from './distribution.ts';
import type { RequestSpec } from './engine/request.ts';
import { type Load, peakRate, rateAt } from './load.ts';
import { hash, type Random } from './random.ts';

/** What simulated clients ask for. Lengths in tokens, patience in seconds. */
export interface Workload {
  /** The part of the prompt that is the request's own. */
  readonly promptTokens: Distribution;
  readonly outputTokens: Distribution;
  /** Share of the requests that end by themselves; the others run into their `max_tokens`. */
  readonly stopShare: number;
  /** Share of the requests whose prompt begins with one of `prefixes` shared texts (the first is the most popular). */
  readonly prefixShare: number;
  readonly prefixes: number;
  /** Their lengths lie between these two. */
  readonly prefixTokens: readonly [low: number, high: number];
  /** Share of the clients that hang up, and how long they wait before they do. */
  readonly abortShare: number;
  readonly patienceS: Distribution;
}

/** A chat service: prompts of a few hundred tokens, answers of a hundred and a half. */
export const defaultWorkload: Workload = {
  promptTokens: { kind: 'lognormal', median: 220, sigma: 0.9, min: 4, max: 3000 },
  outputTokens: { kind: 'gamma', shape: 1.6, scale: 90, min: 1, max: 1500 },
  stopShare: 0.7,
  prefixShare: 0.6,
  prefixes: 12,
  prefixTokens: [64, 512],
  abortShare: 0,
  patienceS: { kind: 'exponential', mean: 2 },
};

/** One arrival: what is asked for, and when its client will hang up (ns after arrival, Infinity for never). */
export interface Arrival {
  readonly spec: RequestSpec;
  readonly patienceNs: number;
}

/**
 * Poisson arrivals whose rate follows a load (by thinning, Lewis and Shedler 1979), with the requests of a workload.
 */
export class Traffic {
  readonly #load: Load;
  readonly #workload: Workload;
  readonly #maxModelLen: number;
  readonly #times: Random;
  readonly #lengths: Random;
  #nextNs: number;

  constructor(load: Load, workload: Workload, maxModelLen: number, random: Random) {
    this.#load = load;
    this.#workload = workload;
    this.#maxModelLen = maxModelLen;
    this.#times = random.fork('arrival times');
    this.#lengths = random.fork('request lengths');
    this.#nextNs = this.#after(0);
  }

  /** When the next request arrives, in ns; Infinity when none will. */
  get nextNs(): number {
    return this.#nextNs;
  }

  /** Takes the next arrival. */
  take(): Arrival {
    this.#nextNs = this.#after(this.#nextNs);
    return {
      spec: drawRequest(this.#workload, this.#maxModelLen, this.#lengths),
      patienceNs: this.#lengths.chance(this.#workload.abortShare)
        ? Math.round(draw(this.#workload.patienceS, this.#lengths) * 1e9)
        : Number.POSITIVE_INFINITY,
    };
  }

  #after(ns: number): number {
    const peak = peakRate(this.#load);
    if (peak === 0) return Number.POSITIVE_INFINITY;
    for (let at = ns; ; ) {
      at += this.#times.exponential(1e9 / peak);
      const rate = rateAt(this.#load, at / 1e9);
      if (rate === undefined) return Number.POSITIVE_INFINITY;
      if (this.#times.chance(rate / peak)) return Math.ceil(at);
    }
  }
}

/** Draws one request; what is too long for the model is cut, as clients do. */
export function drawRequest(workload: Workload, maxModelLen: number, random: Random): RequestSpec {
  const prefix = random.chance(workload.prefixShare) ? drawPrefix(workload, random) : undefined;
  const own = Math.max(1, Math.round(draw(workload.promptTokens, random)));
  const promptTokens = Math.min((prefix?.tokens ?? 0) + own, maxModelLen - 1);
  const outputTokens = drawOutput(workload, maxModelLen - promptTokens, random);
  const stops = random.chance(workload.stopShare);
  return {
    promptTokens,
    outputTokens,
    finishReason: stops ? 'stop' : 'length',
    maxTokens: stops ? Math.min(maxModelLen - promptTokens, roundUp(outputTokens)) : outputTokens,
    ...(prefix && { prefix: { id: prefix.id, tokens: Math.min(prefix.tokens, promptTokens) } }),
  };
}

/** Draws the length of an answer, from 1 to `most` tokens. */
export function drawOutput(workload: Workload, most: number, random: Random): number {
  return Math.min(most, Math.max(1, Math.round(draw(workload.outputTokens, random))));
}

function drawPrefix(workload: Workload, random: Random): { id: string; tokens: number } {
  // Harmonic weights: the k-th text is asked for 1/k as often as the first.
  let total = 0;
  for (let k = 1; k <= workload.prefixes; k++) total += 1 / k;
  let left = random.next() * total;
  let k = 1;
  while (k < workload.prefixes && left >= 1 / k) left -= 1 / k++;
  const id = `shared-${k}`;
  // A text has one length, whoever asks for it.
  const [low, high] = workload.prefixTokens;
  return { id, tokens: Math.max(1, Math.round(low + ((high - low) * hash(id)) / 2 ** 32)) };
}

/** Limits that people write: the next of 64, 128, 256, ... tokens. */
function roundUp(tokens: number): number {
  let limit = 64;
  while (limit < tokens) limit *= 2;
  return limit;
}
