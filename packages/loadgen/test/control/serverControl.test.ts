import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProbeMode } from '../../src/control/modelProbe.ts';
import { ServerControl } from '../../src/control/serverControl.ts';
import type { Target } from '../../src/run/target.ts';

/** Statuses of a server by path, one for each request; the last one is repeated. */
type Statuses = Readonly<Record<string, readonly number[]>>;

const MODELS = JSON.stringify({ data: [{ id: 'm' }] });

/** Starts a server, and controls it with a clock that only waits advance. */
async function startControl(statuses: Statuses, target: Partial<Target> = {}, text = MODELS) {
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const key = `${request.method} ${request.url}`;
    const status =
      statuses[key]?.[requests.filter(other => other === key).length] ?? statuses[key]?.at(-1) ?? 404;
    requests.push(key);
    if (body !== '') bodies.push(JSON.parse(body));
    response.writeHead(status).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waits: number[] = [];
  let nowMs = 0;
  const timing = {
    nowMs: () => nowMs,
    sleep: async (ms: number) => {
      waits.push(ms);
      nowMs += ms;
    },
  };
  const control = new ServerControl(
    { target: { urls: [url], model: 'm', streaming: true, ...target } },
    timing,
  );
  onTestFinished(async () => {
    await control.close();
    server.closeAllConnections();
    server.close();
  });
  const messages: string[] = [];
  const { signal } = new AbortController();
  const wait = (mode: ProbeMode, timeoutS = 60) =>
    control.waitForModels({ timeoutS, mode, intervalS: 5 }, signal, message => messages.push(message));
  return { url, control, requests, bodies, waits, messages, wait, signal };
}

const CHAT = 'POST /v1/chat/completions';
const HOOK = { path: '/reset', timeoutS: 5 };

describe('waiting for models', () => {
  test('sends a request of one token until the server responds without a server error', async () => {
    const { wait, requests, bodies, waits, messages, url } = await startControl({ [CHAT]: [503, 500, 401] });
    expect(await wait('inference')).toBeUndefined();
    expect(requests).toEqual([CHAT, CHAT, CHAT]);
    expect(waits).toEqual([5000, 5000]);
    expect(bodies[0]).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Lo' }],
      max_tokens: 1,
      stream: false,
    });
    expect(messages[0]).toBe(
      `waiting for model "m": ${url}/v1/chat/completions: HTTP status 503 (attempt 1)`,
    );
  });

  test('waits until the list of models contains the model', async () => {
    const { wait, requests } = await startControl({ 'GET /v1/models': [500, 200] });
    expect(await wait('models')).toBeUndefined();
    expect(requests).toEqual(['GET /v1/models', 'GET /v1/models']);
  });

  test('fails if the list of models does not contain the model in time', async () => {
    const { wait, url } = await startControl(
      { 'GET /v1/models': [200] },
      {},
      '{"data":[{"id":"other"},null]}',
    );
    expect(await wait('models', 12)).toBe(
      `model "m" is not ready after 12 s: GET ${url}/v1/models: the list of models does not contain the model`,
    );
  });

  test('accepts a server without a list of models', async () => {
    const { wait, requests } = await startControl({ 'GET /': [200] });
    expect(await wait('models')).toBeUndefined();
    expect(requests).toEqual(['GET /v1/models', 'GET /']);
  });

  test('checks the list of models first with both modes', async () => {
    const { wait, requests } = await startControl({ 'GET /v1/models': [200], [CHAT]: [200] });
    expect(await wait('both')).toBeUndefined();
    expect(requests).toEqual(['GET /v1/models', CHAT]);
  });

  test('waits for each model of each server', async () => {
    const [first, second] = [await startControl({ [CHAT]: [200] }), await startControl({ [CHAT]: [200] })];
    const both = await startControl({}, { urls: [first.url, second.url], model: ['a', 'b'] });
    expect(await both.wait('inference')).toBeUndefined();
    for (const { bodies } of [first, second]) expect(bodies).toMatchObject([{ model: 'a' }, { model: 'b' }]);
  });

  test('names the reason if there is no response at all', async () => {
    const { wait, waits } = await startControl({}, { urls: ['http://127.0.0.1:1'] });
    expect(await wait('inference', 7)).toMatch(
      /^model "m" is not ready after 7 s: POST http:\/\/127\.0\.0\.1:1\/v1\/chat\/completions: .*(refused|ECONNREFUSED)/i,
    );
    expect(waits).toEqual([5000, 2000]);
  });
});

describe('a reset', () => {
  test('is sent once to each server', async () => {
    const { control, requests, signal, url } = await startControl({ 'POST /reset': [200] });
    expect(await control.reset(HOOK, signal)).toBeUndefined();
    expect(requests).toEqual(['POST /reset']);
    const twice = await startControl({}, { urls: [url, `${url}/v1`] });
    expect(await twice.control.reset(HOOK, signal)).toBeUndefined();
    expect(requests).toEqual(['POST /reset', 'POST /reset']);
  });

  test('is retried while the server is busy, with longer waits, for up to a minute', async () => {
    const { control, requests, waits, signal, url } = await startControl({ 'POST /reset': [503] });
    expect(await control.reset(HOOK, signal)).toBe(`POST ${url}/reset: HTTP status 503`);
    expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000]);
    expect(requests).toHaveLength(10);
  });

  test('is not retried if the server refuses it', async () => {
    const { control, requests, signal, url } = await startControl({ 'POST /reset': [403] });
    expect(await control.reset(HOOK, signal)).toBe(`POST ${url}/reset: HTTP status 403`);
    expect(requests).toHaveLength(1);
  });
});

describe('profilers', () => {
  const START = { path: '/start', timeoutS: 5 };
  const STOP = { path: '/stop', timeoutS: 5 };

  test('are stopped again if one of them cannot be started', async () => {
    const first = await startControl({ 'POST /start': [200], 'POST /stop': [200] });
    const second = await startControl({ 'POST /start': [500] });
    const both = await startControl({}, { urls: [first.url, second.url] });
    expect(await both.control.startProfilers(START, STOP, both.signal)).toBe(
      `POST ${second.url}/start: HTTP status 500`,
    );
    expect(first.requests).toEqual(['POST /start', 'POST /stop']);
  });

  test('are all stopped, and all failures are named', async () => {
    const first = await startControl({ 'POST /stop': [500] });
    const second = await startControl({ 'POST /stop': [200] });
    const both = await startControl({}, { urls: [first.url, second.url] });
    expect(await both.control.stopProfilers(STOP)).toBe(`POST ${first.url}/stop: HTTP status 500`);
    expect(second.requests).toEqual(['POST /stop']);
  });
});
