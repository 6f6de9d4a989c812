import { expect, test } from 'vitest';
import { countTokens } from '../../src/server/tokenizer.ts';
import { model, post, readJson, startSimulator } from '../support/server.ts';

const content = 'Why is the queue so long today?';
const messages = [{ role: 'user', content }];
const responsesBody = { model, input: messages, max_output_tokens: 3, ignore_eos: true };
const messagesBody = { model, system: 'Be kind', messages, max_tokens: 3, ignore_eos: true };
const generateBody = { inputs: content, parameters: { max_new_tokens: 3, ignore_eos: true, details: true } };

/** Reads the events of a stream with their names. */
async function readNamedEvents(response: Response): Promise<{ name: string | undefined; data: unknown }[]> {
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const parts = (await response.text()).split('\n\n').filter(part => part !== '');
  return parts.map(part => {
    const [, name, data] = /^(?:event: (.*)\n)?data: (.*)$/.exec(part)!;
    return { name, data: JSON.parse(data!) };
  });
}

test.each([
  [
    '/v1/responses',
    responsesBody,
    { object: 'response', status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    { input_tokens: 15, output_tokens: 3, total_tokens: 18 },
    ({ output }: { output: { content: { text: string }[] }[] }) => output[0]!.content[0]!.text,
  ],
  [
    '/v1/messages',
    messagesBody,
    { type: 'message', role: 'assistant', stop_reason: 'max_tokens' },
    { input_tokens: 21, output_tokens: 3, cache_read_input_tokens: 0 },
    (body: { content: { text: string }[] }) => body.content[0]!.text,
  ],
  [
    '/generate',
    generateBody,
    { details: { finish_reason: 'length', generated_tokens: 3, input_length: 8 } },
    undefined,
    (body: { generated_text: string }) => body.generated_text,
  ],
] as const)('POST %s: responds with one JSON object', async (path, body, fields, usage, readText) => {
  const { address } = await startSimulator();
  const response = await post(address.url + path, body);
  expect(response.status).toBe(200);
  const json = await readJson(response);
  expect(json).toMatchObject(fields);
  if (usage) expect(json.usage).toMatchObject(usage);
  expect(countTokens(readText(json))).toBe(3);
});

test('responses are streamed as events with increasing numbers', async () => {
  const { address } = await startSimulator();
  const events = await readNamedEvents(
    await post(`${address.url}/v1/responses`, { ...responsesBody, stream: true }),
  );
  expect(events.map(({ name }) => name)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    ...Array(3).fill('response.output_text.delta'),
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.incomplete',
  ]);
  expect(events.map(({ data }) => (data as { sequence_number: number }).sequence_number)).toEqual(
    events.map((_, index) => index),
  );
  expect(events.at(-1)!.data).toMatchObject({ response: { usage: { output_tokens: 3 } } });
});

test('messages are streamed as one block of content', async () => {
  const { address } = await startSimulator();
  const events = await readNamedEvents(
    await post(`${address.url}/v1/messages`, { ...messagesBody, stream: true }),
  );
  expect(events.map(({ name }) => name)).toEqual([
    'message_start',
    'content_block_start',
    ...Array(3).fill('content_block_delta'),
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(events[0]!.data).toMatchObject({ message: { usage: { input_tokens: 21 } } });
  expect(events.at(-2)!.data).toMatchObject({
    delta: { stop_reason: 'max_tokens' },
    usage: { output_tokens: 3 },
  });
});

test('the last token of a generation repeats the text', async () => {
  const { address } = await startSimulator();
  const events = await readNamedEvents(await post(`${address.url}/generate_stream`, generateBody));
  const tokens = events.map(({ data }) => data as { token: { text: string }; generated_text: string | null });
  expect(tokens.map(event => event.generated_text !== null)).toEqual([false, false, true]);
  expect(tokens.map(({ token }) => token.text).join('')).toBe(tokens[2]!.generated_text);
  expect(tokens[2]).toMatchObject({ details: { finish_reason: 'length', generated_tokens: 3 } });
});

test('the tokens that messages read from the prefix cache are counted separately', async () => {
  const { address } = await startSimulator();
  const long = { ...messagesBody, system: 'word '.repeat(200) };
  await (await post(`${address.url}/v1/messages`, long)).text();
  const { usage } = await readJson(await post(`${address.url}/v1/messages`, long));
  expect(usage.cache_read_input_tokens).toBeGreaterThan(0);
  expect(usage.input_tokens + usage.cache_read_input_tokens).toBe(200 + 1 + 4 + 8 + 4 + 3);
});

test('messages accept the key as x-api-key', async () => {
  const { address } = await startSimulator({ apiKey: 'one' });
  const send = async (headers: Record<string, string>): Promise<number> =>
    (await post(`${address.url}/v1/messages`, messagesBody, { headers })).status;
  expect(await send({ 'x-api-key': 'one' })).toBe(200);
  expect(await send({ 'x-api-key': 'two' })).toBe(401);
});

test.each([
  ['/v1/responses', { model, input: [] }, 'input'],
  ['/v1/responses', { model, input: 'x', max_output_tokens: 0 }, 'max_output_tokens'],
  ['/v1/messages', { model, messages }, 'max_tokens'],
  ['/v1/messages', { model, messages, system: 5, max_tokens: 1 }, 'system'],
  ['/generate', { inputs: 5 }, 'inputs'],
  ['/generate', { inputs: 'x', parameters: 5 }, 'parameters'],
  ['/generate', { inputs: 'x', parameters: { max_new_tokens: 'many' } }, 'max_new_tokens'],
])('POST %s rejects %j', async (path, body, param) => {
  const { address } = await startSimulator();
  const response = await post(address.url + path, body);
  expect(response.status).toBe(400);
  expect((await readJson(response)).error.param).toBe(param);
});
