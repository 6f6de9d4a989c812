import { describe, expect, test } from 'vitest';
import { type Counter, type CountJob, IdleCounter } from '../../src/tokens/counter.ts';
import { openTokenizer } from '../../src/tokens/openTokenizer.ts';

const job: CountJob = {
  inputs: ['hello world', 'hello'],
  pieces: ['hm ', 'hello', ' world'],
  kinds: Uint8Array.of(1, 0, 0),
};
const expected = { input: 3, output: 2, pieces: Uint32Array.of(2, 1, 1) };

/** The thread is a file of the build: the built package is what is tested. */
async function threadCounter(name?: string): Promise<Counter> {
  const built = new URL('../../dist/index.js', import.meta.url).href;
  const { openThreadCounter } = (await import(built)) as {
    openThreadCounter: (name?: string) => Promise<Counter>;
  };
  return openThreadCounter(name);
}

describe.each([
  ['in this thread', async () => new IdleCounter(await openTokenizer())],
  ['in a thread of its own', () => threadCounter()],
])('%s', (_, open) => {
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

test('a thread for a tokenizer that is not there fails to open', async () => {
  await expect(threadCounter('/nowhere')).rejects.toThrow('cannot read tokenizer "/nowhere"');
});
