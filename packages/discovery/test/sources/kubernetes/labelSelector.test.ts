import { expect, test } from 'vitest';
import { matchesSelector } from '../../../src/sources/kubernetes/labelSelector.ts';
import type { LabelSelector } from '../../../src/sources/kubernetes/objects.ts';

const LABELS = { app: 'vllm', tier: 'gpu' };
const match = (operator: string, key: string, values?: string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values ? { values } : {}) }],
});

test.each<[LabelSelector, boolean]>([
  [{}, true],
  [{ matchLabels: { app: 'vllm' } }, true],
  [{ matchLabels: { app: 'vllm', tier: 'cpu' } }, false],
  [match('In', 'app', ['vllm', 'sglang']), true],
  [match('In', 'none', ['vllm']), false],
  [match('NotIn', 'app', ['sglang']), true],
  [match('NotIn', 'app', ['vllm']), false],
  [match('NotIn', 'none', ['vllm']), true],
  [match('Exists', 'tier'), true],
  [match('Exists', 'none'), false],
  [match('DoesNotExist', 'none'), true],
  [match('DoesNotExist', 'tier'), false],
  [match('Gt', 'tier', ['1']), false],
])('%j: %s', (selector, expected) => {
  expect(matchesSelector(selector, LABELS)).toBe(expected);
});
