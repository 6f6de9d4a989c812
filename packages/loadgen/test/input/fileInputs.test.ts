import { expect, test } from 'vitest';
import { fileInputs } from '../../src/input/fileInputs.ts';
import { jsonl } from '../support/files.ts';

test('single turns, in the words of several tools', async () => {
  const inputs = await fileInputs(
    jsonl(
      { text: 'a', output_length: 9 },
      '',
      { prompt: 'b', role: 'system', model: 'x' },
      { texts: ['c'], max_tokens: 3, id: 'third' },
    ),
  );
  expect(inputs.size).toBe(3);
  expect(inputs.startsMs).toBeUndefined();
  expect([0, 1, 2, 3].map(index => inputs.conversation(index))).toEqual([
    { id: 'line-1', turns: [{ text: 'a', maxTokens: 9 }] },
    { id: 'line-3', turns: [{ text: 'b', role: 'system', model: 'x' }] },
    { id: 'third', turns: [{ text: 'c', maxTokens: 3 }] },
    { id: 'line-1', turns: [{ text: 'a', maxTokens: 9 }] },
  ]);
});

test('several turns in a line, or over several lines', async () => {
  const inputs = await fileInputs(
    jsonl(
      { session_id: 's', system: 'be kind', turns: ['one', { text: 'two', delay: 250 }] },
      { session_id: 't', text: 'first' },
      { session_id: 't', text: 'second', delay: 10 },
    ),
  );
  expect(inputs.size).toBe(2);
  expect(inputs.conversation(0)).toEqual({
    id: 's',
    system: 'be kind',
    turns: [{ text: 'one' }, { text: 'two', delayMs: 250 }],
  });
  expect(inputs.conversation(1)).toEqual({
    id: 't',
    turns: [{ text: 'first' }, { text: 'second', delayMs: 10 }],
  });
});

test('timestamps make a schedule that begins with the first', async () => {
  const inputs = await fileInputs(jsonl({ text: 'b', timestamp: 1500 }, { text: 'a', timestamp: 1000 }));
  expect(inputs.startsMs).toEqual([0, 500]);
  expect(inputs.conversation(0).turns[0]!.text).toBe('a');
});

test.each(['shuffle', 'random'] as const)('sampling by %s repeats with the seed', async sampling => {
  const path = jsonl(...Array.from({ length: 20 }, (_, index) => ({ text: `${index}` })));
  const texts = async (seed: number) => {
    const inputs = await fileInputs(path, { sampling, seed });
    return Array.from({ length: 20 }, (_, index) => inputs.conversation(index).turns[0]!.text);
  };
  expect(await texts(1)).toEqual(await texts(1));
  expect(await texts(1)).not.toEqual(await texts(2));
  if (sampling === 'shuffle') expect(new Set(await texts(1)).size).toBe(20);
});

test.each([
  ['{"text": "a"}\n{"text": ', /inputs\.jsonl:2: the line is no JSON/],
  ['[1]', /:1: the line is no JSON object/],
  ['{"content": "a"}', /:1: there is no text; a field "text" or "prompt"/],
  ['{"turns": [null]}', /:1: a turn is null; a text or an object is accepted/],
  ['{"turns": [5]}', /:1: a turn is 5; a text or an object is accepted/],
  ['{"turns": []}', /:1: turns must be a list of at least one turn/],
  ['{"text": "a", "delay": "long"}', /:1: delay is "long"; a number from 0 is accepted/],
  ['{"text": "a", "role": 7}', /:1: role is 7; a text is accepted/],
  ['\n\n', /holds no conversation/],
])('refuses %j', async (text, message) => {
  await expect(fileInputs(jsonl(text))).rejects.toThrow(message);
});

test('a byte order mark is no part of the first line', async () => {
  const inputs = await fileInputs(jsonl('\uFEFF{"text": "a"}\r\n{"text": "b"}'));
  expect([0, 1].map(index => inputs.conversation(index).turns[0]!.text)).toEqual(['a', 'b']);
});

test('later turns have their times in the schedule', async () => {
  const inputs = await fileInputs(
    jsonl(
      {
        turns: [
          { text: 'a', timestamp: 900 },
          { text: 'b', timestamp: 1100 },
          { text: 'c', timestamp: 5, delay: 7 },
        ],
      },
      { text: 'd', timestamp: 400 },
    ),
  );
  expect(inputs.startsMs).toEqual([0, 500]);
  expect(inputs.conversation(1).turns).toEqual([
    { text: 'a' },
    { text: 'b', atMs: 700 },
    { text: 'c', delayMs: 7 },
  ]);
});

test('names the file that is not there', async () => {
  await expect(fileInputs('/nowhere/inputs.jsonl')).rejects.toThrow('/nowhere/inputs.jsonl');
});
