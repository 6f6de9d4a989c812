import { expect, test } from 'vitest';
import { openInputs } from '../../src/input/inputsDescription.ts';
import { syntheticInputs } from '../../src/input/syntheticInputs.ts';
import { jsonl } from '../support/files.ts';

test('a description that went through a message gives the same inputs', async () => {
  const options = { seed: 3, inputTokens: { mean: 20, stddev: 5 }, turns: { mean: 2 } };
  const described = structuredClone({ kind: 'synthetic', ...options } as const);
  const [ours, theirs] = [syntheticInputs(options), await openInputs(described)];
  for (const index of [0, 1, 17]) expect(theirs.conversation(index)).toEqual(ours.conversation(index));
});

test('files and traces', async () => {
  const path = jsonl({ text: 'one' }, { text: 'two' });
  const file = await openInputs({ kind: 'file', path });
  expect([file.size, file.conversation(1).turns[0]!.text]).toEqual([2, 'two']);
  const trace = jsonl(
    { timestamp: 100, input_length: 7, output_length: 3 },
    { timestamp: 250, input_length: 4 },
  );
  const opened = await openInputs({ kind: 'trace', path: trace, seed: 1 });
  expect(opened.startsMs).toEqual([0, 150]);
  expect(opened.conversation(0).turns[0]).toMatchObject({ maxTokens: 3 });
});

test('what is no file is refused', async () => {
  await expect(openInputs({ kind: 'file', path: '/nowhere.jsonl' })).rejects.toThrow('ENOENT');
});
