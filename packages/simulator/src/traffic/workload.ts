import { hashText, type Random } from '@org/core';
import type { RequestSpec } from '../engine/request.ts';
import { type Distribution, draw } from './distribution.ts';

/** Distribution of client requests. Lengths are in tokens, times in seconds. */
export interface Workload {
  /** Length of the unshared part of the prompt. */
  readonly promptTokens: Distribution;
  readonly outputTokens: Distribution;
  /** Share of requests that end before their `max_tokens`. */
  readonly stopShare: number;
  /** Share of requests whose prompt starts with one of the shared prefixes. */
  readonly prefixShare: number;
  /** Number of shared prefixes; the first is the most frequent. */
  readonly prefixes: number;
  /** Range of the lengths of shared prefixes. */
  readonly prefixTokens: readonly [low: number, high: number];
  /** Share of clients that disconnect early. */
  readonly abortShare: number;
  /** Time until such a client disconnects. */
  readonly abortAfterS: Distribution;
}

/** A chat service: prompts of a few hundred tokens, responses of about 150. */
export const DEFAULT_WORKLOAD: Workload = {
  promptTokens: { kind: 'lognormal', median: 220, sigma: 0.9, min: 4, max: 3000 },
  outputTokens: { kind: 'gamma', shape: 1.6, scale: 90, min: 1, max: 1500 },
  stopShare: 0.7,
  prefixShare: 0.6,
  prefixes: 12,
  prefixTokens: [64, 512],
  abortShare: 0,
  abortAfterS: { kind: 'exponential', mean: 2 },
};

/** Draws one request. Lengths are limited to the context length of the model. */
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
    maxTokens: stops ? Math.min(maxModelLen - promptTokens, roundUpLimit(outputTokens)) : outputTokens,
    ...(prefix && { prefix: { id: prefix.id, tokens: Math.min(prefix.tokens, promptTokens) } }),
  };
}

/** Draws the length of a response, from 1 to `maxTokens` tokens. */
export function drawOutput(workload: Workload, maxTokens: number, random: Random): number {
  return Math.min(maxTokens, Math.max(1, Math.round(draw(workload.outputTokens, random))));
}

function drawPrefix(workload: Workload, random: Random): { id: string; tokens: number } {
  // Harmonic weights: prefix k is used 1/k as often as the first.
  let total = 0;
  for (let k = 1; k <= workload.prefixes; k++) total += 1 / k;
  let left = random.next() * total;
  let k = 1;
  while (k < workload.prefixes && left >= 1 / k) left -= 1 / k++;
  const id = `shared-${k}`;
  // Each prefix has a fixed length.
  const [low, high] = workload.prefixTokens;
  return { id, tokens: Math.max(1, Math.round(low + ((high - low) * hashText(id)) / 2 ** 32)) };
}

/** Returns a typical `max_tokens` setting: the next of 64, 128, 256, ... tokens. */
function roundUpLimit(tokens: number): number {
  let limit = 64;
  while (limit < tokens) limit *= 2;
  return limit;
}
