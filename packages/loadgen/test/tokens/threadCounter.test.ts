import { expect, onTestFinished, test } from 'vitest';
import type { CountJob, TokenCounter } from '../../src/tokens/counter.ts';

const job: CountJob = {
  inputs: ['hello world', 'hello'],
  pieces: ['hm ', 'hello', ' world'],
  kinds: Uint8Array.of(1, 0, 0),
};

/** Opens a counter of the built package, because a worker thread needs a built file. */
async function openCounter(
  name?: string,
  options?: { readonly appliesChatTemplate: boolean },
): Promise<TokenCounter> {
  const moduleUrl = new URL('../../dist/index.js', import.meta.url).href;
  const { openThreadCounter } = (await import(moduleUrl)) as {
    openThreadCounter: (name?: string, options?: object) => Promise<TokenCounter>;
  };
  return openThreadCounter(name, options);
}

test('completes jobs in order', async () => {
  const counter = await openCounter();
  expect(counter.name).toBe('o200k_base');
  const order: number[] = [];
  const counting = [1, 2, 3].map(async number => {
    const counted = await counter.count(job);
    order.push(number);
    return counted;
  });
  for (const counted of await Promise.all(counting))
    expect(counted).toMatchObject({ input: 3, output: 2, pieces: Uint32Array.of(2, 1, 1) });
  expect(order).toEqual([1, 2, 3]);
  await counter.close();
});

test('finishes pending jobs before it closes', async () => {
  const counter = await openCounter();
  const counting = counter.count(job);
  await counter.close();
  expect(await counting).toMatchObject({ input: 3 });
});

test('does not change the kinds of a job', async () => {
  const counter = await openCounter();
  onTestFinished(() => counter.close());
  // The kinds of a response are a view of a larger buffer, which is still in use.
  const kinds = Uint8Array.of(9, 1, 0, 0, 9).subarray(1, 4);
  expect(await counter.count({ ...job, kinds })).toMatchObject({ output: 2 });
  expect([...kinds]).toEqual([1, 0, 0]);
});

test('rejects a missing tokenizer', async () => {
  await expect(openCounter('/nowhere')).rejects.toThrow(
    'invalid tokenizer "/nowhere": no such file or folder',
  );
});

test('counts the messages of a job only with a chat template', async () => {
  const chat = { messages: [{ role: 'user', content: 'hello' }], toolTexts: [] };
  const counter = await openCounter();
  onTestFinished(() => counter.close());
  expect(await counter.count({ ...job, chat })).not.toHaveProperty('chat');
  const applying = await openCounter('o200k_base', { appliesChatTemplate: true });
  onTestFinished(() => applying.close());
  expect(await applying.count({ ...job, chat })).toMatchObject({
    input: 3,
    chat: { problem: 'the tokenizer has no chat template' },
  });
  expect(await applying.count(job)).not.toHaveProperty('chat');
});
