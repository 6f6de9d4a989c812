import { expect, test } from 'vitest';
import { mayCombineInputs } from '../../src/reconciliation/combinedInputs.ts';

const synthetic = (batch_size?: number) => [{ type: 'synthetic', prompts: { batch_size } }];

test.each([
  [{}, false],
  [{ endpoint: { type: 'chat' }, datasets: synthetic(3) }, false],
  [{ endpoint: { type: 'embeddings' }, datasets: synthetic() }, false],
  [{ endpoint: { type: 'embeddings' }, datasets: synthetic(3) }, true],
  [{ endpoint: { type: 'completions' }, datasets: [{ type: 'file' }] }, true],
  [{ endpoint: { type: 'cohere_rankings' }, datasets: synthetic() }, true],
  [{ endpoint: { type: 'template' } }, true],
])('requests of %j: %j', (inputConfig, expected) => {
  expect(mayCombineInputs(inputConfig)).toBe(expected);
});
