import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockPool } from '../../src/engine/blocks.ts';
import { newRequest, type Request } from '../../src/engine/request.ts';

let ids = 0;
function request(promptTokens: number, prefix?: { id: string; tokens: number }): Request {
  const spec = { promptTokens, outputTokens: 1, finishReason: 'stop' as const, ...(prefix && { prefix }) };
  return newRequest(ids++, 0, spec, 0, undefined);
}

test('a request takes whole blocks, and gives them back', () => {
  const pool = new BlockPool(10, 16);
  const one = request(40);
  expect(pool.grow(one, 40)).toBe(true);
  expect(pool.used).toBe(3);
  expect(pool.grow(one, 48)).toBe(true);
  expect(pool.used).toBe(3);
  expect(pool.grow(one, 49)).toBe(true);
  expect(pool.used).toBe(4);
  pool.release(one);
  expect(pool.used).toBe(0);
});

test('when the cache is full nothing is taken', () => {
  const pool = new BlockPool(4, 16);
  const one = request(48);
  const two = request(32);
  expect(pool.grow(one, 48)).toBe(true);
  expect(pool.grow(two, 32)).toBe(false);
  expect(pool.used).toBe(3);
  expect(two.blocks).toBe(0);
});

test('a prefix is shared while it is held, kept while there is room, and then evicted', () => {
  const pool = new BlockPool(6, 16);
  const prefix = { id: 'system', tokens: 40 };
  const first = request(60, prefix);
  expect(pool.hit(first)).toBe(0);
  pool.grow(first, 60);
  pool.publish(first);
  expect(pool.used).toBe(4);

  const second = request(50, prefix);
  expect(pool.hit(second)).toBe(32);
  pool.grow(second, 50);
  // Two blocks of prefix that both use, two and two of their own.
  expect(pool.used).toBe(6);

  pool.release(first);
  pool.release(second);
  expect(pool.used).toBe(0);
  const third = request(33, prefix);
  expect(pool.hit(third)).toBe(32);
  pool.release(third);

  const large = request(96);
  expect(pool.grow(large, 96)).toBe(true);
  pool.release(large);
  expect(pool.hit(request(50, prefix))).toBe(0);
});

test('the last token of a prompt is always computed', () => {
  const pool = new BlockPool(6, 16);
  const whole = { id: 'whole', tokens: 32 };
  const first = request(32, whole);
  pool.grow(first, 32);
  pool.publish(first);
  expect(pool.hit(request(32, whole))).toBe(31);
});

test('whatever is asked, the pool never gives out more than it has, nor loses a block', () => {
  const step = fc.record({
    act: fc.constantFrom('admit', 'grow', 'publish', 'release'),
    which: fc.nat(7),
    tokens: fc.integer({ min: 1, max: 200 }),
    prefix: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const pool = new BlockPool(20, 16);
      const held = new Map<number, Request>();
      for (const { act, which, tokens, prefix } of steps) {
        const one = held.get(which);
        if (act === 'admit' && !one) {
          const shared = { id: `p${prefix}`, tokens: Math.min(tokens, 48) };
          const fresh = request(tokens, shared);
          pool.hit(fresh);
          if (pool.grow(fresh, tokens)) held.set(which, fresh);
          else pool.release(fresh);
        } else if (one && act === 'grow') {
          pool.grow(one, one.spec.promptTokens + tokens);
        } else if (one && act === 'publish') {
          pool.publish(one);
        } else if (one && act === 'release') {
          pool.release(one);
          held.delete(which);
        }
        const own = [...held.values()].reduce((sum, { blocks }) => sum + blocks, 0);
        const shared = new Map([...held.values()].map(one => [one.prefixId, one.prefixBlocks]));
        shared.delete(undefined);
        expect(pool.used).toBe(own + [...shared.values()].reduce((sum, blocks) => sum + blocks, 0));
        expect(pool.used).toBeLessThanOrEqual(pool.total);
      }
      for (const one of held.values()) pool.release(one);
      expect(pool.used).toBe(0);
    }),
  );
});
