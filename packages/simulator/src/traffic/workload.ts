import { hashText, type Random } from '@org/core';
import type { RequestSpec } from '../engine/request.ts';
import { type Distribution, draw } from './distribution.ts';

/** Distributions of the properties of client requests. Lengths are in tokens, times in seconds. */
export interface Workload {
  /** Length of the unshared part of the prompt. */
  readonly promptTokens: Distribution;
  readonly outputTokens: Distribution;
  /** Fraction of requests that end before they reach `max_tokens`. */
  readonly stopShare: number;
  /** Fraction of requests whose prompt starts with a shared prefix. */
  readonly prefixShare: number;
  /** Number of distinct shared prefixes. Prefix k is used 1/k as often as prefix 1. */
  readonly prefixes: number;
  /** Minimum and maximum length of a shared prefix. */
  readonly prefixTokens: readonly [low: number, high: number];
  /** Fraction of clients that disconnect early. */
  readonly abortShare: number;
  /** Time from arrival until such a client disconnects. */
  readonly abortAfterS: Distribution;
}

/** A chat service with prompts of a few hundred tokens and responses of about 150 tokens. */
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
  const unsharedTokens = Math.max(1, Math.round(draw(workload.promptTokens, random)));
  const promptTokens = Math.min((prefix?.tokens ?? 0) + unsharedTokens, maxModelLen - 1);
  const outputTokens = drawOutput(workload, maxModelLen - promptTokens, random);
  const isStopped = random.chance(workload.stopShare);
  return {
    promptTokens,
    outputTokens,
    finishReason: isStopped ? 'stop' : 'length',
    maxTokens: isStopped ? Math.min(maxModelLen - promptTokens, roundUpLimit(outputTokens)) : outputTokens,
    ...(prefix && { prefix: { id: prefix.id, tokens: Math.min(prefix.tokens, promptTokens) } }),
  };
}

/** Draws the length of a response, from 1 to `maxTokens` tokens. */
export function drawOutput(workload: Workload, maxTokens: number, random: Random): number {
  return Math.min(maxTokens, Math.max(1, Math.round(draw(workload.outputTokens, random))));
}

function drawPrefix(workload: Workload, random: Random): { id: string; tokens: number } {
  // Harmonic weights.
  let total = 0;
  for (let k = 1; k <= workload.prefixes; k++) total += 1 / k;
  let remainingWeight = random.next() * total;
  let k = 1;
  while (k < workload.prefixes && remainingWeight >= 1 / k) remainingWeight -= 1 / k++;
  const id = `shared-${k}`;
  // Each prefix has a fixed length.
  const [low, high] = workload.prefixTokens;
  return { id, tokens: Math.max(1, Math.round(low + ((high - low) * hashText(id)) / 2 ** 32)) };
}

/** Returns a typical `max_tokens` setting: `tokens` rounded up to 64, 128, 256, ... */
function roundUpLimit(tokens: number): number {
  let limit = 64;
  while (limit < tokens) limit *= 2;
  return limit;
}
