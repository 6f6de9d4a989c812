import { describe, expect, test } from 'vitest';
import type { Inputs } from '../../src/input/conversation.ts';
import { createInputs, type FileOptions } from '../../src/input/sampling.ts';

const SIZE = 20;

/** Creates inputs of 20 conversations with the ids 0 to 19. */
function createSampledInputs(options: FileOptions, startsMs: readonly (number | undefined)[] = []): Inputs {
  const conversations = Array.from({ length: SIZE }, (_, id) => () => ({
    id: `${id}`,
    turns: [{ text: 'a' }],
  }));
  return createInputs('file.jsonl', conversations, startsMs, options);
}

function listIds(inputs: Inputs, count = SIZE): number[] {
  return Array.from({ length: count }, (_, index) => Number(inputs.getConversation(index).id));
}

test('the default order is sequential, and starts over after the last conversation', () => {
  const ids = listIds(createSampledInputs({}), 2 * SIZE);
  expect(ids).toEqual(Array.from({ length: 2 * SIZE }, (_, index) => index % SIZE));
});

describe.each(['shuffle', 'random'] as const)('%s', sampling => {
  test('is reproducible with a seed', () => {
    const listIdsWithSeed = (seed: number): number[] => listIds(createSampledInputs({ sampling, seed }));
    expect(listIdsWithSeed(1)).toEqual(listIdsWithSeed(1));
    expect(listIdsWithSeed(1)).not.toEqual(listIdsWithSeed(2));
  });

  test('does not depend on the order of access', () => {
    const inputs = createSampledInputs({ sampling, seed: 1 });
    const last = inputs.getConversation(SIZE - 1);
    expect(Number(last.id)).toBe(listIds(createSampledInputs({ sampling, seed: 1 })).at(-1));
  });
});

test('a shuffle contains each conversation once', () => {
  const ids = listIds(createSampledInputs({ sampling: 'shuffle', seed: 1 }));
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: SIZE }, (_, index) => index));
});

test.each<[string, FileOptions, readonly (number | undefined)[], boolean]>([
  ['uses start times in sequential order', {}, [0, 5], true],
  ['ignores all start times if one is missing', {}, [0, undefined], false],
  ['ignores start times in another order', { sampling: 'shuffle' }, [0, 5], false],
])('%s', (_, options, startsMs, isUsed) => {
  expect(createSampledInputs(options, startsMs).startsMs).toEqual(isUsed ? startsMs : undefined);
});

test('rejects an unknown order and an empty file', () => {
  expect(() => createSampledInputs({ sampling: 'sorted' as 'random' })).toThrow(
    'sampling is "sorted"; expected sequential, shuffle or random',
  );
  expect(() => createInputs('file.jsonl', [], [], {})).toThrow(
    'file.jsonl contains no conversations; expected at least one line of JSON',
  );
});
