import { expect, test } from 'vitest';
import { createCancellationRule } from '../../src/run/requestSender.ts';
import { runLoad } from '../support/load.ts';
import { startTokenServer } from '../support/server.ts';

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
  expect(JSON.parse(body)).toMatchObject({
    model: 'test/model',
    temperature: 0,
    stream: true,
    max_completion_tokens: 5,
  });
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

test('cancels the requested percentage, reproducibly', () => {
  const after = createCancellationRule({ percent: 20, delayS: 1.5 }, 3);
  const all = Array.from({ length: 5000 }, (_, session) => after(session, 0));
  const cancelled = all.filter(ms => ms !== undefined);
  // Three standard deviations of a fraction of 0.2 in 5,000 requests.
  expect(Math.abs(cancelled.length / 5000 - 0.2)).toBeLessThan(0.017);
  expect(new Set(cancelled)).toEqual(new Set([1500]));
  expect(
    Array.from({ length: 5000 }, (_, session) =>
      createCancellationRule({ percent: 20, delayS: 1.5 }, 3)(session, 0),
    ),
  ).toEqual(all);
});

test.each([
  [undefined, 0],
  [{ percent: 0 }, 0],
  [{ percent: 100 }, 50],
])('%j cancels %d of 50', (options, count) => {
  const after = createCancellationRule(options, 1);
  expect(Array.from({ length: 50 }, (_, turn) => after(1, turn)).filter(ms => ms !== undefined)).toHaveLength(
    count,
  );
});
