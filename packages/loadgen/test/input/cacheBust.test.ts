import { expect, test } from 'vitest';
import { addMarker, type CacheBustTarget, countMarkerTokens } from '../../src/input/cacheBust.ts';
import type { Conversation } from '../../src/input/conversation.ts';
import { openInputs } from '../../src/input/inputsDescription.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';

const RID = '[rid:0123456789ab]';
const SESSION = { isWarmup: false, id: '01234567-89ab-cdef-0123-456789abcdef' };
const plain: Conversation = {
  id: 'c',
  turns: [
    { text: 'a', tokens: 1 },
    { text: 'b', tokens: 1 },
  ],
};
const withSystem: Conversation = { ...plain, system: 's' };

const getTexts = ({ system, context, turns }: Conversation) => [
  system,
  context,
  ...turns.map(({ text }) => text),
];

test.each([
  ['none', withSystem, ['s', undefined, 'a', 'b']],
  ['system_prefix', withSystem, [`${RID}\n\ns`, undefined, 'a', 'b']],
  ['system_suffix', withSystem, [`s\n\n${RID}`, undefined, 'a', 'b']],
  ['system_prefix', plain, [undefined, undefined, `${RID}\n\na`, 'b']],
  ['first_turn_prefix', withSystem, ['s', undefined, `${RID}\n\na`, 'b']],
  ['first_turn_suffix', withSystem, ['s', undefined, `a\n\n${RID}`, 'b']],
  ['first_turn_prefix', { ...plain, context: 'x' }, [undefined, `${RID}\n\nx`, 'a', 'b']],
  ['warmup_isolation_system', withSystem, ['s', undefined, 'a', 'b']],
] as const)('%s marks one text of a conversation', (target, conversation, texts) => {
  expect(getTexts(addMarker(conversation, target, SESSION))).toEqual(texts);
});

test.each([
  ['warmup_isolation_system', ['[warmup]\n\ns', undefined, 'a', 'b']],
  ['warmup_isolation_first_turn', ['s', undefined, '[warmup]\n\na', 'b']],
] as const)('%s marks conversations of the warm-up', (target, texts) => {
  expect(getTexts(addMarker(withSystem, target, { ...SESSION, isWarmup: true }))).toEqual(texts);
});

test('the tokens of a marked turn are counted', () => {
  const [first, second] = addMarker(plain, 'first_turn_prefix', SESSION).turns;
  expect([first!.tokens, second!.tokens]).toEqual([undefined, 1]);
});

test('marks the first user message of recorded messages', () => {
  const mark = (content: unknown, target: CacheBustTarget) =>
    addMarker(
      {
        id: 'c',
        turns: [
          {
            text: 'a',
            messages: [
              { role: 'system', content: 's' },
              { role: 'user', content },
            ],
          },
        ],
      },
      target,
      SESSION,
    ).turns[0]!.messages;
  const part = { type: 'text', text: RID };
  const system = { role: 'system', content: 's' };
  expect(mark('a', 'first_turn_prefix')).toEqual([system, { role: 'user', content: `${RID}\n\na` }]);
  expect(mark([{ n: 1 }], 'first_turn_prefix')).toEqual([
    system,
    { role: 'user', content: [part, { n: 1 }] },
  ]);
  expect(mark([{ n: 1 }], 'first_turn_suffix')).toEqual([
    system,
    { role: 'user', content: [{ n: 1 }, part] },
  ]);
});

test.each([
  ['first_turn_prefix', {}, [undefined, 40]],
  ['system_suffix', { sharedSystemTokens: 30 }, [30, 40]],
  ['system_prefix', {}, [undefined, 40]],
] as const)('%s keeps the length of generated prompts', async (cacheBust, options, lengths) => {
  const tokenizer = await openTokenizer();
  const description = {
    kind: 'synthetic',
    seed: 1,
    inputTokens: { mean: 40 },
    ...options,
    cacheBust,
  } as const;
  const inputs = await openInputs(description, tokenizer);
  const { system, turns } = addMarker(inputs.getConversation(0), cacheBust, {
    ...SESSION,
    id: '7b20c4e8-195d-4f0a',
  });
  const counts = [
    system === undefined ? undefined : tokenizer.count(system),
    tokenizer.count(turns[0]!.text),
  ];
  for (const [index, length] of lengths.entries()) {
    if (length === undefined) expect(counts[index]).toBeUndefined();
    else expect(Math.abs(counts[index]! - length)).toBeLessThanOrEqual(3);
  }
});

test('counts the tokens of markers, which conversations of the profiling phase may not have', async () => {
  const tokenizer = await openTokenizer();
  expect(countMarkerTokens('first_turn_prefix', tokenizer)).toBeGreaterThan(5);
  for (const target of ['none', 'warmup_isolation_system'] as const)
    expect(countMarkerTokens(target, tokenizer)).toBe(0);
});
