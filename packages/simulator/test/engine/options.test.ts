import { expect, test } from 'vitest';
import {
  DEFAULT_ENGINE_OPTIONS,
  type EngineOptions,
  validateEngineOptions,
} from '../../src/engine/options.ts';

test('accepts the default options', () => {
  expect(validateEngineOptions(DEFAULT_ENGINE_OPTIONS)).toBe(DEFAULT_ENGINE_OPTIONS);
});

test.each<[Partial<EngineOptions>, string]>([
  [{ maxRunning: 0 }, 'maxRunning is 0; expected an integer of at least 1'],
  [{ kvBlocks: 2.5 }, 'kvBlocks is 2.5; expected an integer of at least 1'],
  [{ blockSize: Number.NaN }, 'blockSize is NaN; expected an integer of at least 1'],
  [{ maxBatchedTokens: -1 }, 'maxBatchedTokens is -1; expected an integer of at least 1'],
  [{ speed: 0 }, 'speed is 0; expected a number greater than 0'],
  [
    { kvBlocks: 511, blockSize: 16, maxModelLen: 8192 },
    'a KV cache of 511 blocks of 16 tokens cannot hold one request with the context length of 8192 tokens; use more blocks or a shorter context length',
  ],
])('rejects %j', (options, message) => {
  expect(() => validateEngineOptions({ ...DEFAULT_ENGINE_OPTIONS, ...options })).toThrow(message);
});
