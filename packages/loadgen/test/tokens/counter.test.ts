import { describe, expect, test } from 'vitest';
import type { CountJob, TokenCounter } from '../../src/tokens/counter.ts';
import { openTokenizer } from '../../src/tokens/openTokenizer.ts';
import { LocalCounter } from '../support/tokenCounter.ts';

const job: CountJob = {
  inputs: ['hello world', 'hello'],
  pieces: ['hm ', 'hello', ' world'],
  kinds: Uint8Array.of(1, 0, 0),
};
const expected = { input: 3, output: 2, pieces: Uint32Array.of(2, 1, 1) };

/** Opens a counter of the built package, because a worker thread needs a built file. */
async function openBuiltCounter(name?: string): Promise<TokenCounter> {
  const built = new URL('../../dist/index.js', import.meta.url).href;
  const { openThreadCounter } = (await import(built)) as {
    openThreadCounter: (name?: string) => Promise<TokenCounter>;
  };
  return openThreadCounter(name);
}

describe.each([
  ['in the calling thread', async () => new LocalCounter(await openTokenizer())],
  ['in a worker thread', () => openBuiltCounter()],
])('a counter %s', (_, open) => {
  test('counts in the order of the jobs', async () => {
    const counter = await open();
    expect(counter.name).toBe('o200k_base');
    const order: number[] = [];
    const counting = [1, 2, 3].map(async number => {
      const counted = await counter.count(job);
      order.push(number);
      return counted;
    });
    for (const counted of await Promise.all(counting)) expect(counted).toMatchObject(expected);
    expect(order).toEqual([1, 2, 3]);
    await counter.close();
  });
});

test('rejects a missing tokenizer', async () => {
  await expect(openBuiltCounter('/nowhere')).rejects.toThrow('cannot read tokenizer "/nowhere"');
});
