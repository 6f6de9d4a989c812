import { expect, test } from 'vitest';
import { openInputs } from '../../src/input/inputsDescription.ts';
import { writeJsonl } from '../support/files.ts';

test.each([
  ['file', { turns: [{ text: 'a' }, { text: 'b', delay: 900 }, { text: 'c', delay: 20 }] }],
] as const)('limits the delays between the turns of a %s', async (kind, line) => {
  const path = writeJsonl(line);
  const readDelays = async (limit: object) =>
    (await openInputs({ kind, path, ...limit })).getConversation(0).turns.map(({ delayMs }) => delayMs);
  expect(await readDelays({})).toEqual([undefined, 900, 20]);
  expect(await readDelays({ maxDelayMs: 100 })).toEqual([undefined, 100, 20]);
});

test('limits the delays between the turns of a trace', async () => {
  const path = writeJsonl(
    { session_id: 's', input_length: 3 },
    { session_id: 's', input_length: 3, delay: 70 },
  );
  const inputs = await openInputs({ kind: 'trace', path, maxDelayMs: 50 });
  expect(inputs.getConversation(0).turns[1]!.delayMs).toBe(50);
  expect(inputs.getEntry!(0).turns[1]!.delayMs).toBe(50);
});
