import { expect, test } from 'vitest';
import { runLoad } from '../support/load.ts';
import { chatEvent, chunk, DONE, END, head, startRawServer } from '../support/server.ts';

const model = 'test/model';

/** Starts a server that responds to every request with a stream of two tokens. */
const startTokenServer = () =>
  startRawServer(socket => {
    socket.write(head());
    socket.write(chunk(chatEvent('a') + chatEvent('b') + DONE));
    socket.write(END);
  });

test('uses URLs in rotation', async () => {
  const servers = [await startTokenServer(), await startTokenServer(), await startTokenServer()];
  const { records } = await runLoad('', {
    target: { urls: servers.map(({ url }) => url) },
    profiling: { concurrency: 1, requestCount: 7 },
  });
  expect(servers.map(({ received }) => received.length)).toEqual([3, 2, 2]);
  expect(records[3]!.url).toBe(servers[0]!.url);
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
  const { head: sent, body } = received[0]!;
  expect(sent).toMatch(/^POST \/base\/own\/chat\?x=1 HTTP\/1\.1/);
  for (const line of [
    'X-Mine: yes',
    'User-Agent: me',
    'authorization: Bearer secret',
    'accept-encoding: identity',
  ])
    expect(sent).toContain(line);
  expect(sent).toContain(`x-request-id: ${records[0]!.requestId}`);
  expect(sent).toContain(`x-correlation-id: ${records[0]!.correlationId}`);
  expect(JSON.parse(body)).toMatchObject({ model, temperature: 0, stream: true, max_completion_tokens: 5 });
});

test('sends the credentials of a URL unless there is an API key', async () => {
  const { url, received } = await startTokenServer();
  const authorizedUrl = url.replace('//', '//me:secret@');
  const profiling = { concurrency: 1, requestCount: 1 };
  const { records } = await runLoad(authorizedUrl, { profiling });
  await runLoad(authorizedUrl, { target: { apiKey: 'key' }, profiling });
  expect(records[0]!.url).toBe(url);
  const sent = received.map(({ head: lines }) => /authorization: .*/i.exec(lines)?.[0]);
  expect(sent).toEqual([`authorization: Basic ${btoa('me:secret')}`, 'authorization: Bearer key']);
});
