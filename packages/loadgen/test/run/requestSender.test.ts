import { describe, expect, test } from 'vitest';
import { openPayloadInputs } from '../../src/input/payloadInputs.ts';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import { createCancellationRule } from '../../src/run/requestSender.ts';
import { writeJsonl } from '../support/files.ts';
import { runLoad } from '../support/load.ts';
import {
  CHAT_BODY,
  DONE,
  END,
  formatChatEvent,
  formatChunk,
  formatHead,
  formatResponse,
  startRawServer,
  startTokenServer,
} from '../support/server.ts';

test('uses URLs in round-robin order', async () => {
  const servers = [await startTokenServer(), await startTokenServer(), await startTokenServer()];
  const { records } = await runLoad('', {
    target: { urls: servers.map(({ url }) => url) },
    profiling: { concurrency: 1, requestCount: 7 },
  });
  expect(servers.map(({ received }) => received.length)).toEqual([3, 2, 2]);
  expect(records[3]!.url).toBe(servers[0]!.url);
});

test('sends all turns of a session to the same URL', async () => {
  const servers = [await startTokenServer(), await startTokenServer()];
  const { records } = await runLoad('', {
    target: { urls: servers.map(({ url }) => url) },
    inputs: createSyntheticInputs({ seed: 1, inputTokens: { mean: 5 }, turns: { mean: 3 } }),
    profiling: { concurrency: 2, requestCount: 12 },
  });
  expect(
    records.map(({ session, url }) => servers.findIndex(server => server.url === url) - (session % 2)),
  ).toEqual(Array(12).fill(0));
  expect(servers.map(({ received }) => received.length)).toEqual([6, 6]);
});

describe('connections of sticky user sessions', () => {
  const inputs = createSyntheticInputs({ seed: 1, inputTokens: { mean: 5 }, turns: { mean: 3 } });
  const profiling = { concurrency: 2, requestCount: 12 };

  test('are used for all turns of a session, and for no other session', async () => {
    const { url } = await startTokenServer();
    const { records } = await runLoad(url, { connectionReuse: 'sticky-user-sessions', inputs, profiling });
    expect(records).toHaveLength(12);
    expect(records.filter(({ connectionReused, turn }) => connectionReused !== turn > 0)).toEqual([]);
  });
});

test('sends the id of the session in a header of the given name, and for routers', async () => {
  const { url, received } = await startTokenServer();
  const profiling = { concurrency: 1, requestCount: 1 };
  const { records } = await runLoad(url, { target: { sessionHeader: 'X-Session-ID' }, profiling });
  const { head } = received[0]!;
  const id = records[0]!.correlationId;
  expect(
    [/^X-Session-ID: (.*)$/m, /^x-session-affinity: (.*)$/m].map(line => line.exec(head)?.[1]?.trim()),
  ).toEqual([id, id]);
  expect(head).not.toMatch(/x-correlation-id/i);
});

test('sends headers, API key, ids and extra inputs', async () => {
  const { url, received } = await startTokenServer();
  const { records } = await runLoad(`${url}/base/`, {
    target: {
      headers: { 'X-Mine': 'yes', 'User-Agent': 'me' },
      apiKey: 'secret',
      path: 'own/chat?x=1',
      extraInputs: { temperature: 0, stream: true },
    },
    profiling: { concurrency: 1, requestCount: 1 },
  });
  const { head, body } = received[0]!;
  expect(head).toMatch(/^POST \/base\/own\/chat\?x=1 HTTP\/1\.1/);
  for (const line of [
    'X-Mine: yes',
    'User-Agent: me',
    'authorization: Bearer secret',
    'accept-encoding: identity',
  ])
    expect(head).toContain(line);
  expect(head).toContain(`x-request-id: ${records[0]!.requestId}`);
  expect(head).toContain(`x-correlation-id: ${records[0]!.correlationId}`);
  expect(JSON.parse(body)).toMatchObject({
    model: 'test/model',
    temperature: 0,
    stream: true,
    max_completion_tokens: 5,
  });
});

test('sends the credentials of a URL unless an API key is set', async () => {
  const { url, received } = await startTokenServer();
  const authorizedUrl = url.replace('//', '//me:secret@');
  const profiling = { concurrency: 1, requestCount: 1 };
  const { records } = await runLoad(authorizedUrl, { profiling });
  await runLoad(authorizedUrl, { target: { apiKey: 'key' }, profiling });
  expect(records[0]!.url).toBe(url);
  const authorizations = received.map(({ head }) => /authorization: .*/i.exec(head)?.[0]);
  expect(authorizations).toEqual([`authorization: Basic ${btoa('me:secret')}`, 'authorization: Bearer key']);
});

test('cancels the requested percentage, reproducibly', () => {
  const getDelayMs = createCancellationRule({ percent: 20, delayS: 1.5 }, 3);
  const delaysMs = Array.from({ length: 5000 }, (_, session) => getDelayMs(session, 0));
  const cancelled = delaysMs.filter(ms => ms !== undefined);
  // Allows three standard deviations of a fraction of 0.2 in 5,000 requests.
  expect(Math.abs(cancelled.length / 5000 - 0.2)).toBeLessThan(0.017);
  expect(new Set(cancelled)).toEqual(new Set([1500]));
  expect(
    Array.from({ length: 5000 }, (_, session) =>
      createCancellationRule({ percent: 20, delayS: 1.5 }, 3)(session, 0),
    ),
  ).toEqual(delaysMs);
});

test.each([
  [undefined, 0],
  [{ percent: 0 }, 0],
  [{ percent: 100 }, 50],
])('%j cancels %d of 50 requests', (options, count) => {
  const getDelayMs = createCancellationRule(options, 1);
  expect(
    Array.from({ length: 50 }, (_, turn) => getDelayMs(1, turn)).filter(ms => ms !== undefined),
  ).toHaveLength(count);
});

test.each([
  [false, true],
  [true, false],
])(
  'reads a stream if a recorded request body has stream: %s, whatever other requests have',
  async (stream, streaming) => {
    const path = writeJsonl({ messages: [{ role: 'user', content: 'a' }], stream });
    const { url, received } = await startRawServer(socket => {
      if (!stream) socket.end(formatResponse('200 OK', 'application/json', CHAT_BODY));
      else
        socket.end(
          Buffer.concat(
            [formatHead(), formatChunk(formatChatEvent('hi') + DONE), END].map(part => Buffer.from(part)),
          ),
        );
    });
    const { records } = await runLoad(url, {
      inputs: await openPayloadInputs(path),
      target: { streaming },
      profiling: { concurrency: 1, requestCount: 1 },
      keepText: true,
    });
    expect(received).toHaveLength(1);
    expect(records[0]).toMatchObject({ failure: undefined, streaming: stream, text: { output: 'hi' } });
  },
);
