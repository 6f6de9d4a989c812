import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { DEFAULT_WORKLOAD, drawOutput, drawRequest } from '../../src/traffic/workload.ts';

test('requests fit the context length and share prefixes as configured', () => {
  const random = new Random(2);
  const requests = Array.from({ length: 3000 }, () => drawRequest(DEFAULT_WORKLOAD, 2048, random));
  for (const { promptTokens, outputTokens, maxTokens, prefix } of requests) {
    expect(promptTokens).toBeGreaterThanOrEqual(1);
    expect(outputTokens).toBeGreaterThanOrEqual(1);
    expect(promptTokens + outputTokens).toBeLessThanOrEqual(2048);
    expect(maxTokens!).toBeGreaterThanOrEqual(outputTokens);
    if (prefix) expect(prefix.tokens).toBeLessThanOrEqual(promptTokens);
  }
  const computeShare = (matches: (request: (typeof requests)[number]) => boolean): number =>
    requests.filter(matches).length / 3000;
  expect(computeShare(({ prefix }) => prefix !== undefined)).toBeCloseTo(0.6, 1);
  expect(computeShare(({ finishReason }) => finishReason === 'stop')).toBeCloseTo(0.7, 1);
});

test('a shared prefix has the same length in all requests', () => {
  const random = new Random(9);
  const lengths = new Map<string, Set<number>>();
  for (let i = 0; i < 500; i++) {
    const { prefix } = drawRequest(DEFAULT_WORKLOAD, 8192, random);
    if (prefix) lengths.set(prefix.id, (lengths.get(prefix.id) ?? new Set()).add(prefix.tokens));
  }
  expect(lengths.size).toBe(DEFAULT_WORKLOAD.prefixes);
  for (const tokens of lengths.values()) expect(tokens.size).toBe(1);
});

test('a response has at least one token and no more tokens than the limit', () => {
  const random = new Random(3);
  const lengths = Array.from({ length: 500 }, () => drawOutput(DEFAULT_WORKLOAD, 20, random));
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...lengths)).toBe(20);
});

test('the limit of a request that stops early is a power of two', () => {
  const random = new Random(4);
  const requests = Array.from({ length: 200 }, () => drawRequest(DEFAULT_WORKLOAD, 8192, random));
  const limits = requests.filter(({ finishReason }) => finishReason === 'stop').map(spec => spec.maxTokens!);
  for (const limit of limits) expect(Number.isInteger(Math.log2(limit))).toBe(true);
  expect(Math.min(...limits)).toBe(64);
});
