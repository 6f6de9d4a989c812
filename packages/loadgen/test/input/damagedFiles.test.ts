import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { InputError } from '../../src/input/inputError.ts';
import { type InputsDescription, openInputs } from '../../src/input/inputsDescription.ts';
import { writeTempFile } from '../support/files.ts';

const lines = (...values: readonly unknown[]) => values.map(value => `${JSON.stringify(value)}\n`).join('');
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const capture = {
  captureData: { endpointInput: { data: JSON.stringify(user('a')), encoding: 'JSON' } },
  eventMetadata: { eventId: 'e', inferenceTime: '2026-04-29T00:03:18Z' },
};
const share = {
  conversations: [
    { from: 'human', value: 'a b c d' },
    { from: 'gpt', value: 'e f g h' },
  ],
};

/** A valid file of each format. */
const FILES: Readonly<Record<string, readonly [text: string, description: Omit<InputsDescription, 'path'>]>> =
  {
    single_turn: [lines({ text: 'a', timestamp: 1 }, { texts: ['b'], output_length: 3 }), { kind: 'file' }],
    multi_turn: [
      lines({ session_id: 's', turns: [{ text: 'a' }, { text: 'b', delay: 2 }] }),
      { kind: 'file' },
    ],
    random_pool: [lines({ text: 'a' }, { texts: ['b', { contents: ['c'] }] }), { kind: 'pool' }],
    raw_payload: [lines(user('a'), user([{ type: 'text', text: 'b' }])), { kind: 'payloads' }],
    inputs_json: [
      JSON.stringify({ data: [{ session_id: 's', payloads: [user('a')] }] }),
      { kind: 'inputsJson' },
    ],
    sharegpt: [JSON.stringify([share, share]), { kind: 'shareGpt' }],
    mooncake_trace: [
      lines(
        { timestamp: 1, input_length: 600, output_length: 2, hash_ids: [1, 2] },
        { ...user('a'), tools: [{ type: 'function' }], extra: { n: 1 } },
        { payload: user('b'), delay: 3, session_id: 'line-1' },
      ),
      { kind: 'trace' },
    ],
    bailian_trace: [
      lines({
        chat_id: 1,
        parent_chat_id: -1,
        timestamp: 2,
        input_length: 20,
        output_length: 3,
        hash_ids: [1],
      }),
      { kind: 'trace', type: 'bailian_trace' } as Omit<InputsDescription, 'path'>,
    ],
    burst_gpt_trace: [
      'Timestamp,Request tokens,Response tokens\n1,2,3\n2,3,4\n',
      { kind: 'trace', type: 'burst_gpt_trace' } as Omit<InputsDescription, 'path'>,
    ],
    sagemaker_data_capture: [
      lines(capture),
      { kind: 'trace', type: 'sagemaker_data_capture' } as Omit<InputsDescription, 'path'>,
    ],
  };

/** Removes, repeats or replaces random parts of a text. */
function damage(text: string, random: Random): string {
  let damaged = text;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(damaged.length + 1);
    const length = random.below(12);
    const values = [
      '',
      '{',
      ']',
      '"',
      'null',
      '-1',
      '1e999',
      '[[',
      '\n',
      '\u0000',
      '{"a":1}',
      damaged.slice(at, at + length),
    ];
    damaged = damaged.slice(0, at) + values[random.below(values.length)] + damaged.slice(at + length);
  }
  return damaged;
}

test.each(Object.entries(FILES))(
  'a valid file of the type %s opens, and each conversation has turns',
  async (_, file) => {
    const [text, description] = file;
    const inputs = await openInputs({
      ...description,
      path: writeTempFile('inputs', text),
    } as InputsDescription);
    for (let index = 0; index < inputs.size!; index++)
      expect(inputs.getConversation(index).turns.length).toBeGreaterThan(0);
  },
);

test.each(Object.entries(FILES))(
  'a damaged file of the type %s opens, or is rejected with a named fault',
  async (_, file) => {
    const [text, description] = file;
    const random = new Random(7);
    const path = writeTempFile('inputs', '');
    let rejected = 0;
    for (let run = 0; run < 300; run++) {
      writeFileSync(path, damage(text, random));
      try {
        const inputs = await openInputs({ ...description, path } as InputsDescription);
        for (let index = 0; index < Math.min(5, inputs.size!); index++) inputs.getConversation(index);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        expect((error as Error).message).toContain(path);
        rejected += 1;
      }
    }
    expect(rejected).toBeGreaterThan(0);
  },
);

test('reads a compressed file, and rejects damaged compression', async () => {
  const path = writeTempFile('inputs.jsonl.gz', '');
  const compressed = gzipSync(lines({ text: 'a' }, { text: 'b' }));
  writeFileSync(path, compressed);
  const inputs = await openInputs({ kind: 'file', path });
  expect(inputs.getConversation(1).turns[0]!.text).toBe('b');
  writeFileSync(path, compressed.subarray(0, 20));
  await expect(openInputs({ kind: 'file', path })).rejects.toThrow(`${path} is not a valid gzip file: `);
});
