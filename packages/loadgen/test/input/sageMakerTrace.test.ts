import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readSageMakerTrace } from '../../src/input/sageMakerTrace.ts';
import { openTraceInputs } from '../../src/input/traceInputs.ts';
import { writeJsonl, writeTempFile } from '../support/files.ts';

const MESSAGES = [
  { role: 'system', content: 's' },
  { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
];
const TOOLS = [{ type: 'function', function: { name: 'f' } }];

function createCapture(time: string, request: object, encoding = 'JSON') {
  const encode = (body: object) => {
    const json = JSON.stringify(body);
    return { data: encoding === 'JSON' ? json : Buffer.from(json).toString('base64'), encoding };
  };
  const endpointOutput = encode({ usage: { prompt_tokens: 12, completion_tokens: 8 } });
  return {
    captureData: { endpointInput: encode(request), endpointOutput },
    eventMetadata: { eventId: time, inferenceTime: time },
    eventVersion: '0',
  };
}

test.each(['JSON', 'BASE64'])('sends the messages of %s bodies at their times', async encoding => {
  const path = writeJsonl(
    createCapture('2026-04-29T00:00:02.500Z', { messages: MESSAGES, max_tokens: 20, tools: TOOLS }, encoding),
    createCapture('2026-04-29T00:00:02Z', { messages: MESSAGES, max_completion_tokens: 50 }, encoding),
  );
  const inputs = await openTraceInputs(path, { type: 'sagemaker_data_capture' });
  expect(inputs.startsMs).toEqual([0, 500]);
  const turn = { text: 's\nHi', messages: MESSAGES, isComplete: true };
  expect(inputs.getConversation(0).turns).toEqual([{ ...turn, maxTokens: 50 }]);
  expect(inputs.getConversation(1).turns).toEqual([{ ...turn, maxTokens: 20, extra: { tools: TOOLS } }]);
});

test('reads the files of a folder and its subfolders', async () => {
  const folder = join(dirname(writeTempFile('unused', '')), 'captures');
  mkdirSync(join(folder, 'hour-01'), { recursive: true });
  const write = (name: string, time: string) =>
    writeFileSync(join(folder, name), JSON.stringify(createCapture(time, { messages: MESSAGES })));
  write('hour-01/a.jsonl', '2026-04-29T01:00:00Z');
  write('b.jsonl', '2026-04-29T00:59:00Z');
  expect((await readSageMakerTrace(folder)).map(({ timestamp }) => timestamp)).toEqual([0, 60_000]);
});

test.each([
  [{}, 'missing captureData.endpointInput with JSON or BASE64 data'],
  [
    createCapture('yesterday', { messages: MESSAGES }),
    'eventMetadata.inferenceTime is "yesterday"; expected a time such as 2026-04-29T00:03:18Z',
  ],
  [createCapture('2026-04-29T00:00:02Z', { prompt: 'a' }), 'messages is undefined; expected a list'],
  [{ captureData: { endpointInput: { data: '{', encoding: 'JSON' } } }, 'invalid JSON: '],
  [{ captureData: 1 }, 'captureData is 1; expected an object'],
])('rejects the line %j', async (line, message) => {
  const path = writeJsonl(line);
  await expect(readSageMakerTrace(path)).rejects.toThrow(`${path}:1: ${message}`);
});
