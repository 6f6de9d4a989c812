import { expect, test } from 'vitest';
import { openInputs } from '../../src/input/inputsDescription.ts';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import { writeJsonl } from '../support/files.ts';

test('opens the same inputs from a cloned description', async () => {
  const options = { seed: 3, inputTokens: { mean: 20, stddev: 5 }, turns: { mean: 2 } };
  const description = structuredClone({ kind: 'synthetic', ...options } as const);
  const [expected, actual] = [createSyntheticInputs(options), await openInputs(description)];
  for (const index of [0, 1, 17])
    expect(actual.getConversation(index)).toEqual(expected.getConversation(index));
});

test('opens files and traces', async () => {
  const path = writeJsonl({ text: 'one' }, { text: 'two' });
  const file = await openInputs({ kind: 'file', path });
  expect([file.size, file.getConversation(1).turns[0]!.text]).toEqual([2, 'two']);
  const trace = writeJsonl(
    { timestamp: 100, input_length: 7, output_length: 3 },
    { timestamp: 250, input_length: 4 },
  );
  const opened = await openInputs({ kind: 'trace', path: trace, seed: 1 });
  expect(opened.startsMs).toEqual([0, 150]);
  expect(opened.getConversation(0).turns[0]).toMatchObject({ maxTokens: 3 });
});

test('rejects a missing file', async () => {
  await expect(openInputs({ kind: 'file', path: '/nowhere.jsonl' })).rejects.toThrow('ENOENT');
});
