import { expect, test } from 'vitest';
import { readBurstGptTrace } from '../../src/input/burstGptTrace.ts';
import { openTraceInputs } from '../../src/input/traceInputs.ts';
import { writeTempFile } from '../support/files.ts';

const HEADER = 'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type';

test('each row is a conversation of one turn', async () => {
  const path = writeTempFile('burst.csv', `${HEADER}\r\n5,ChatGPT,30,10,40,c\r\n5.25,GPT-4,20,5,25,a\r\n`);
  const inputs = await openTraceInputs(path, { type: 'burst_gpt_trace', seed: 1 });
  expect(inputs.startsMs).toEqual([0, 250]);
  const turns = [0, 1].map(index => inputs.getConversation(index).turns);
  expect(turns.map(([turn]) => [turn!.text.split(' ').length, turn!.maxTokens])).toEqual([
    [30, 10],
    [20, 5],
  ]);
});

test('leaves out rows whose values are not numbers', async () => {
  const rows = ['x,a,1,2,3,c', '1,a,,,,', '-1,a,1,2,3,c', '2,a,1.5,2,3,c', '3', '4,a,7,8,15,c'];
  const path = writeTempFile('burst.csv', [HEADER, ...rows].join('\n'));
  expect((await readBurstGptTrace(path)).map(({ input, output }) => [input, output])).toEqual([[7, 8]]);
});

test.each([
  [
    'Timestamp,Request tokens\n1,2',
    /csv:1: missing column "Response tokens"; expected a CSV header with Timestamp/,
  ],
  [`${HEADER}\nx,y`, /csv has no rows with numbers; expected seconds and numbers of tokens$/],
])('rejects the file %j', async (text, message) => {
  await expect(readBurstGptTrace(writeTempFile('burst.csv', text))).rejects.toThrow(message);
});
