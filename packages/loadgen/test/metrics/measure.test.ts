import { expect, test } from 'vitest';
import { divide, measureMs, measureRequest } from '../../src/metrics/measure.ts';
import { createRecord } from '../support/record.ts';

test('measures a streamed request', () => {
  expect(measureRequest(createRecord())).toMatchObject({
    latencyMs: 90,
    firstTokenMs: 50,
    // From the first to the last token, with four gaps between five tokens.
    interTokenMs: 10,
    inputTokens: 100,
    outputTokens: 5,
    reasoningTokens: undefined,
    outputLength: 5,
  });
});

test.each([
  ['a single token', { counted: { input: 1, output: 1, reasoning: 0 } }, 50],
  ['no stream', { streaming: false }, undefined],
] as const)('computes no inter-token latency for %s', (_, overrides, firstTokenMs) => {
  expect(measureRequest(createRecord(overrides))).toMatchObject({ firstTokenMs, interTokenMs: undefined });
});

test('counts reasoning tokens as output, and reports 0 reasoning tokens if the server does', () => {
  const counted = { input: 1, output: 3, reasoning: 9 };
  expect(measureRequest(createRecord({ counted }))).toMatchObject({ reasoningTokens: 9, outputLength: 12 });
  expect(measureRequest(createRecord({ usage: { reasoningTokens: 0 } })).reasoningTokens).toBe(0);
});

test('an embedding has no output', () => {
  expect(measureRequest(createRecord({ endpoint: 'embeddings' }))).toMatchObject({
    inputTokens: 100,
    outputTokens: undefined,
    outputLength: undefined,
  });
});

test.each([
  [0, 2.5e6, 2.5],
  [undefined, 1, undefined],
  [1, undefined, undefined],
])('from %d to %d ns are %d ms', (fromNs, toNs, ms) => {
  expect(measureMs(fromNs, toNs)).toBe(ms);
});

test.each([
  [6, 4, 1.5],
  [6, 0, undefined],
  [6, -1, undefined],
  [undefined, 4, undefined],
  [6, undefined, undefined],
])('%d divided by %d is %d', (dividend, divisor, quotient) => {
  expect(divide(dividend, divisor)).toBe(quotient);
});
