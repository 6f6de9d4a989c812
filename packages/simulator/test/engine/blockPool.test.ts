import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockPool } from '../../src/engine/blockPool.ts';
import { createRequest, type Request } from '../../src/engine/request.ts';

let nextId = 0;
function createTestRequest(promptTokens: number, prefix?: { id: string; tokens: number }): Request {
  const spec = { promptTokens, outputTokens: 1, finishReason: 'stop' as const, ...(prefix && { prefix }) };
  return createRequest(nextId++, 0, spec, 0, undefined);
}

test('allocates full blocks and frees them', () => {
  const pool = new BlockPool(10, 16);
  const first = createTestRequest(40);
  expect(pool.grow(first, 40)).toBe(true);
  expect(pool.used).toBe(3);
  expect(pool.grow(first, 48)).toBe(true);
  expect(pool.used).toBe(3);
  expect(pool.grow(first, 49)).toBe(true);
  expect(pool.used).toBe(4);
  pool.release(first);
  expect(pool.used).toBe(0);
});

test('allocates nothing if the cache is full', () => {
  const pool = new BlockPool(4, 16);
  const first = createTestRequest(48);
  const second = createTestRequest(32);
  expect(pool.grow(first, 48)).toBe(true);
  expect(pool.grow(second, 32)).toBe(false);
  expect(pool.used).toBe(3);
  expect(second.blocks).toBe(0);
});

test('shares a prefix, keeps it after the requests have ended, and evicts it when blocks run out', () => {
  const pool = new BlockPool(6, 16);
  const prefix = { id: 'system', tokens: 40 };
  const first = createTestRequest(60, prefix);
  expect(pool.acquirePrefix(first)).toBe(0);
  pool.grow(first, 60);
  pool.publishPrefix(first);
  expect(pool.used).toBe(4);

  const second = createTestRequest(50, prefix);
  expect(pool.acquirePrefix(second)).toBe(32);
  pool.grow(second, 50);
  // Two shared prefix blocks, and two more blocks for each request.
  expect(pool.used).toBe(6);

  pool.release(first);
  pool.release(second);
  expect(pool.used).toBe(0);
  const third = createTestRequest(33, prefix);
  expect(pool.acquirePrefix(third)).toBe(32);
  pool.release(third);

  const large = createTestRequest(96);
  expect(pool.grow(large, 96)).toBe(true);
  pool.release(large);
  expect(pool.acquirePrefix(createTestRequest(50, prefix))).toBe(0);
});

test('never takes the last token of a prompt from the cache', () => {
  const pool = new BlockPool(6, 16);
  const fullPrefix = { id: 'whole', tokens: 32 };
  const first = createTestRequest(32, fullPrefix);
  pool.grow(first, 32);
  pool.publishPrefix(first);
  expect(pool.acquirePrefix(createTestRequest(32, fullPrefix))).toBe(31);
});

test('never exceeds its size and never loses a block', () => {
  const step = fc.record({
    action: fc.constantFrom('admit', 'grow', 'publish', 'release'),
    slot: fc.nat(7),
    tokens: fc.integer({ min: 1, max: 200 }),
    prefix: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const pool = new BlockPool(20, 16);
      const admitted = new Map<number, Request>();
      for (const { action, slot, tokens, prefix } of steps) {
        const existing = admitted.get(slot);
        if (action === 'admit' && !existing) {
          const shared = { id: `p${prefix}`, tokens: Math.min(tokens, 48) };
          const created = createTestRequest(tokens, shared);
          pool.acquirePrefix(created);
          if (pool.grow(created, tokens)) admitted.set(slot, created);
          else pool.release(created);
        } else if (existing && action === 'grow') {
          pool.grow(existing, existing.spec.promptTokens + tokens);
        } else if (existing && action === 'publish') {
          pool.publishPrefix(existing);
        } else if (existing && action === 'release') {
          pool.release(existing);
          admitted.delete(slot);
        }
        const ownBlocks = [...admitted.values()].reduce((sum, { blocks }) => sum + blocks, 0);
        const shared = new Map(
          [...admitted.values()].map(({ prefixId, prefixBlocks }) => [prefixId, prefixBlocks]),
        );
        shared.delete(undefined);
        expect(pool.used).toBe(ownBlocks + [...shared.values()].reduce((sum, blocks) => sum + blocks, 0));
        expect(pool.used).toBeLessThanOrEqual(pool.total);
      }
      for (const remaining of admitted.values()) pool.release(remaining);
      expect(pool.used).toBe(0);
    }),
  );
});
