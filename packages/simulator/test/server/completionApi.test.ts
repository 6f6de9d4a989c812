import { describe, expect, test } from 'vitest';
import { countTokens } from '../../src/server/tokenizer.ts';
import { readExposition, readSampleValue } from '../support/exposition.ts';
import { model, post, readEvents, readJson, startSimulator, waitUntil } from '../support/server.ts';

const messages = [{ role: 'user', content: 'Why is the queue so long today?' }];
const chat = { model, messages, max_tokens: 12, ignore_eos: true };

describe('chat completion', () => {
  test('responds with one JSON object', async () => {
    const { address } = await startSimulator();
    const response = await post(`${address.url}/v1/chat/completions`, chat);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const completion = await readJson(response);
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ index: 0, finish_reason: 'length', message: { role: 'assistant' } }],
      usage: { prompt_tokens: 15, completion_tokens: 12, total_tokens: 27 },
    });
    expect(completion.id).toMatch(/^chatcmpl-[0-9a-f]{16}$/);
    expect(countTokens(completion.choices[0].message.content)).toBe(12);
  });

  test('streams the role, one token per chunk, the finish reason, usage and an end marker', async () => {
    const { address } = await startSimulator();
    const response = await post(`${address.url}/v1/chat/completions`, {
      ...chat,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = await readEvents(response);
    expect(events.at(-1)).toBe('[DONE]');
    const chunks = events.slice(0, -1).map(event => JSON.parse(event));
    expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).toBe(1);
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '' });
    const tokens = chunks.slice(1, 13).map(chunk => chunk.choices[0].delta.content);
    for (const token of tokens) expect(countTokens(token)).toBe(1);
    expect(
      chunks.slice(0, 13).every(chunk => chunk.choices[0].finish_reason === null && chunk.usage === null),
    ).toBe(true);
    expect(chunks[13].choices[0]).toMatchObject({ delta: { content: '' }, finish_reason: 'length' });
    expect(chunks[14]).toMatchObject({ choices: [], usage: { prompt_tokens: 15, completion_tokens: 12 } });
    expect(chunks).toHaveLength(15);
  });

  test('streams without usage by default', async () => {
    const { address } = await startSimulator();
    const events = await readEvents(
      await post(`${address.url}/v1/chat/completions`, { ...chat, stream: true }),
    );
    expect(events).toHaveLength(15);
    for (const event of events.slice(0, -1)) expect(JSON.parse(event)).not.toHaveProperty('usage');
  });

  test('takes the simulated time, which the metrics match', async () => {
    const simulator = await startSimulator({ speed: 1 });
    const start = performance.now();
    const response = await post(`${simulator.address.url}/v1/chat/completions`, { ...chat, stream: true });
    await response.text();
    const durationMs = performance.now() - start;
    const truth = simulator.getTruth();
    const [record] = truth.requests;
    const e2eMs = (record!.finishNs - record!.arrivalNs) / 1e6;
    // Twelve steps take about 7 ms each, and no token is written early.
    expect(e2eMs).toBeGreaterThan(70);
    expect(durationMs).toBeGreaterThan(e2eMs);
    // Tokens are written after the engine has generated them.
    expect(record!.receivedNs).toBeLessThanOrEqual(record!.arrivalNs);
    expect(record!.firstWrittenNs).toBeGreaterThanOrEqual(record!.firstTokenNs);
    expect(record!.lastWrittenNs).toBeGreaterThanOrEqual(record!.lastTokenNs);
    // Compare with the engine's arrival time, because the arrival time at the socket is an estimate and the client
    // shares this thread.
    expect((record!.lastWrittenNs - record!.arrivalNs) / 1e6).toBeLessThanOrEqual(durationMs);
    const families = readExposition(simulator.scrape());
    expect(readSampleValue(families, 'vllm:e2e_request_latency_seconds_sum')).toBeCloseTo(e2eMs / 1e3, 9);
    expect(readSampleValue(families, 'vllm:time_to_first_token_seconds_count')).toBe(1);
    expect(readSampleValue(families, 'vllm:inter_token_latency_seconds_count')).toBe(11);
  });

  test('records the X-Request-ID of the client', async () => {
    const simulator = await startSimulator({ speed: 50 });
    const request = (headers: Record<string, string>) =>
      fetch(`${simulator.address.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(chat),
      });
    await (await request({ 'X-Request-ID': 'seven' })).text();
    await (await request({})).text();
    expect(simulator.getTruth().requests.map(({ clientId }) => clientId)).toEqual(['seven', undefined]);
  });

  test('is aborted when its client disconnects', async () => {
    const simulator = await startSimulator({ speed: 1 });
    const controller = new AbortController();
    const response = await post(
      `${simulator.address.url}/v1/chat/completions`,
      { ...chat, max_tokens: 5000, stream: true },
      { signal: controller.signal },
    );
    await response.body!.getReader().read();
    controller.abort();
    await waitUntil(() => simulator.getTruth().requests.length === 1);
    expect(simulator.getTruth().requests[0]).toMatchObject({ finishReason: 'abort' });
    const families = readExposition(simulator.scrape());
    expect(readSampleValue(families, 'vllm:request_success_total', { finished_reason: 'abort' })).toBe(1);
    expect(readSampleValue(families, 'vllm:e2e_request_latency_seconds_count')).toBe(0);
    expect(readSampleValue(families, 'vllm:num_requests_running')).toBe(0);
  });

  test('may end before the context is full, and reuses the cached prefix of an earlier request', async () => {
    const { address } = await startSimulator();
    const system = { role: 'system', content: 'Answer kindly. '.repeat(40) };
    const complete = async (content: string) => {
      const body = { model, messages: [system, { role: 'user', content }] };
      return readJson(await post(`${address.url}/v1/chat/completions`, body));
    };
    const first = await complete('One?');
    const second = await complete('Two?');
    expect(first.choices[0].finish_reason).toBe('stop');
    expect(first.usage.prompt_tokens_details.cached_tokens).toBe(0);
    // The shared prefix is the system message with four tokens of the chat template. Only full blocks are cached.
    const shared = countTokens(system.content) + 4;
    expect(second.usage.prompt_tokens_details.cached_tokens).toBe(shared - (shared % 16));
  });

  test('returns the same responses only for the same seed', async () => {
    const complete = async (seed: number): Promise<string[]> => {
      const { address } = await startSimulator({ seed });
      const texts: string[] = [];
      for (let i = 0; i < 3; i++) {
        const completion = await readJson(
          await post(`${address.url}/v1/chat/completions`, { model, messages }),
        );
        texts.push(completion.choices[0].message.content);
      }
      return texts;
    };
    const [first, repeated, other] = [await complete(5), await complete(5), await complete(6)];
    expect(first).toEqual(repeated);
    expect(first).not.toEqual(other);
  });
});

describe('text completion', () => {
  test.each([
    ['a string', 'one two three', 3],
    ['a list of one string', ['one two three'], 3],
    ['token IDs', [5, 6, 7, 8], 4],
    ['an empty string', '', 1],
  ])('accepts %s as prompt', async (_, prompt, tokens) => {
    const { address } = await startSimulator();
    const response = await post(`${address.url}/v1/completions`, {
      model,
      prompt,
      max_tokens: 3,
      ignore_eos: true,
    });
    expect(await readJson(response)).toMatchObject({
      object: 'text_completion',
      choices: [{ index: 0, finish_reason: 'length' }],
      usage: { prompt_tokens: tokens, completion_tokens: 3 },
    });
  });

  test('streams text', async () => {
    const { address } = await startSimulator();
    const body = { model, prompt: 'one', max_completion_tokens: 3, ignore_eos: true, stream: true };
    const events = await readEvents(await post(`${address.url}/v1/completions`, body));
    expect(events).toHaveLength(5);
    expect(JSON.parse(events[0]!).choices[0]).not.toHaveProperty('delta');
    const text = events
      .slice(0, 3)
      .map(event => JSON.parse(event).choices[0].text)
      .join('');
    expect(countTokens(text)).toBe(3);
  });
});

describe('rejects invalid requests', () => {
  test.each([
    ['invalid JSON', '{', 400, 'not valid JSON'],
    ['a body that is not a JSON object', '[]', 400, 'not a JSON object'],
    ['no messages', { model }, 400, 'messages must be'],
    ['an empty list of messages', { model, messages: [] }, 400, 'messages must be'],
    ['a message without role', { model, messages: [{ content: 'x' }] }, 400, 'role'],
    ['a null message', { model, messages: [null] }, 400, 'role'],
    [
      'content of the wrong type',
      { model, messages: [{ role: 'user', content: 5 }] },
      400,
      'content must be',
    ],
    ['no model', { messages }, 400, 'model must be'],
    [
      'another model',
      { ...chat, model: 'other' },
      404,
      '"other" does not exist; the served model is "test/model"',
    ],
    [
      'max_tokens of 0',
      { ...chat, max_tokens: 0 },
      400,
      'max_tokens is 0; expected an integer of at least 1',
    ],
    ['max_tokens as string', { ...chat, max_tokens: '5' }, 400, 'max_tokens is "5"'],
    [
      'more tokens than the context length',
      { ...chat, max_tokens: 8180 },
      400,
      'the context length is 8192 tokens; the prompt has 15',
    ],
    ['n of 2', { ...chat, n: 2 }, 400, 'n is 2'],
    ['stream as string', { ...chat, stream: 'yes' }, 400, 'stream is "yes"; expected true or false'],
    ['stream_options without stream', { ...chat, stream_options: {} }, 400, 'only allowed if stream is true'],
  ])('%s', async (_, body, status, message) => {
    const { address } = await startSimulator();
    const response = await post(`${address.url}/v1/chat/completions`, body);
    expect(response.status).toBe(status);
    const { error } = await readJson(response);
    expect(error.message).toContain(message);
    expect(error).toMatchObject({ code: status, type: status === 404 ? 'NotFoundError' : 'BadRequestError' });
  });

  test.each([[undefined], [5], [[]], [['a', 'b']], [[1.5]]])('the prompt %j', async prompt => {
    const { address } = await startSimulator();
    const response = await post(`${address.url}/v1/completions`, { model, prompt });
    expect(response.status).toBe(400);
    expect((await readJson(response)).error.param).toBe('prompt');
  });
});
