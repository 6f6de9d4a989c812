import { describe, expect, test } from 'vitest';
import type { Inputs } from '../../src/input/conversation.ts';
import { createInputs, type FileOptions } from '../../src/input/sampling.ts';

const SIZE = 20;

/** Creates inputs of 20 conversations with the ids 0 to 19. */
function createSampled(options: FileOptions, startsMs: readonly (number | undefined)[] = []): Inputs {
  const conversations = Array.from({ length: SIZE }, (_, id) => () => ({
    id: `${id}`,
    turns: [{ text: 'a' }],
  }));
  return createInputs('file.jsonl', conversations, startsMs, options);
}

function listIds(inputs: Inputs, count = SIZE): number[] {
  return Array.from({ length: count }, (_, index) => Number(inputs.getConversation(index).id));
}

test('is sequential by default, and starts again after the last conversation', () => {
  const ids = listIds(createSampled({}), 2 * SIZE);
  expect(ids).toEqual(Array.from({ length: 2 * SIZE }, (_, index) => index % SIZE));
});

describe.each(['shuffle', 'random'] as const)('%s', sampling => {
  test('is reproducible with a seed', () => {
    const list = (seed: number): number[] => listIds(createSampled({ sampling, seed }));
    expect(list(1)).toEqual(list(1));
    expect(list(1)).not.toEqual(list(2));
  });

  test('does not depend on the order of access', () => {
    const inputs = createSampled({ sampling, seed: 1 });
    const last = inputs.getConversation(SIZE - 1);
    expect(Number(last.id)).toBe(listIds(createSampled({ sampling, seed: 1 })).at(-1));
  });
});

test('a shuffle contains each conversation once', () => {
  const ids = listIds(createSampled({ sampling: 'shuffle', seed: 1 }));
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: SIZE }, (_, index) => index));
});

test.each<[string, FileOptions, readonly (number | undefined)[], boolean]>([
  ['sequential order', {}, [0, 5], true],
  ['a missing start time', {}, [0, undefined], false],
  ['another order', { sampling: 'shuffle' }, [0, 5], false],
])('start times with %s', (_, options, startsMs, isUsed) => {
  expect(createSampled(options, startsMs).startsMs).toEqual(isUsed ? startsMs : undefined);
});

test('rejects an unknown order and an empty file', () => {
  expect(() => createSampled({ sampling: 'sorted' as 'random' })).toThrow(
    'sampling is "sorted"; expected sequential, shuffle or random',
  );
  expect(() => createInputs('file.jsonl', [], [], {})).toThrow(
    'file.jsonl contains no conversations; expected at least one line of JSON',
  );
});
