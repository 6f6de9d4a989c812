import { type Authorization, createBearerAuthorization } from '@org/scrape';
import { expect, test } from 'vitest';
import { HttpSource } from '../../src/sources/httpSource.ts';
import { SourceReader } from './sourceReader.ts';
import { findClosedUrl, sendJson, startWebServer } from './webServer.ts';

const TIMEOUT_MS = 30_000;

test('polls a server, and yields a list after each change', async () => {
  const lists = [['h:1'], ['h:1'], ['h:1', 'h:2']];
  const headers: unknown[] = [];
  const url = await startWebServer((request, response) => {
    headers.push(request.headers['x-prometheus-refresh-interval-seconds']);
    sendJson(response, [{ targets: lists.length > 1 ? lists.shift() : lists[0] }]);
  });
  const reader = new SourceReader(new HttpSource({ url, timeoutMs: TIMEOUT_MS }, 20));
  expect(await reader.nextUrls()).toEqual(['http://h:1/metrics']);
  expect(await reader.nextUrls()).toEqual(['http://h:1/metrics', 'http://h:2/metrics']);
  expect(headers[0]).toBe('0.02');
  expect(await reader.end()).toBe(true);
});

test('sends the credentials of the URL, and shows them nowhere', async () => {
  let authorization: string | undefined;
  const url = await startWebServer((request, response) => {
    authorization = request.headers.authorization;
    response.writeHead(401).end();
  });
  const source = new HttpSource({ url: url.replace('://', '://me:p%40ss@'), timeoutMs: TIMEOUT_MS }, 1000);
  expect(source.name).toBe(`http_sd ${url}`);
  await expect(new SourceReader(source).next()).rejects.toThrow(
    /^the server responded with status 401; check its credentials: --discovery-bearer-token-file/,
  );
  expect(authorization).toBe(`Basic ${btoa('me:p@ss')}`);
});

test.each<[Authorization, string, string]>([
  [createBearerAuthorization('hunter2'), '', 'Bearer hunter2'],
  // Credentials of the URL take precedence, because they belong to one source.
  [createBearerAuthorization('hunter2'), 'me:p@', `Basic ${btoa('me:p')}`],
])('sends headers and %o', async (authorization, userInfo, expected) => {
  const received: unknown[] = [];
  const url = await startWebServer((request, response) => {
    received.push(request.headers.authorization, request.headers['x-tenant']);
    sendJson(response, []);
  });
  const request = { url: url.replace('://', `://${userInfo}`), timeoutMs: TIMEOUT_MS };
  const headers = { 'X-Tenant': 'a' };
  await new SourceReader(new HttpSource({ ...request, headers, authorization }, 1000)).next();
  expect(received).toEqual([expected, 'a']);
});

test.each<[number, string, string]>([
  [200, '<html>', 'did not return JSON; check the URL'],
  [200, '{}', 'the response is not a list'],
  [404, '', 'responded with status 404; check the path of the URL'],
  [302, '', 'responded with status 302; redirects are not followed'],
  [500, '', 'responded with status 500'],
])('rejects a response with status %i and the body %j', async (status, body, message) => {
  const url = await startWebServer((_, response) => response.writeHead(status).end(body));
  const reader = new SourceReader(new HttpSource({ url, timeoutMs: TIMEOUT_MS }, 1000));
  await expect(reader.next()).rejects.toThrow(message);
});

test('reports later failures once, and keeps the last list', async () => {
  let isFailing = false;
  let count = 1;
  const url = await startWebServer((_, response) => {
    if (isFailing) response.writeHead(503).end();
    else sendJson(response, [{ targets: [`h:${count}`] }]);
  });
  const reader = new SourceReader(new HttpSource({ url, timeoutMs: TIMEOUT_MS }, 20));
  await reader.next();
  isFailing = true;
  const next = reader.nextUrls();
  expect(await reader.waitForProblem()).toBe('the server responded with status 503');
  count = 2;
  isFailing = false;
  expect(await next).toEqual(['http://h:2/metrics']);
  expect(reader.problems).toHaveLength(1);
});

test('reports an unreachable server', async () => {
  const url = await findClosedUrl();
  const reader = new SourceReader(new HttpSource({ url, timeoutMs: TIMEOUT_MS }, 1000));
  await expect(reader.next()).rejects.toThrow(/^cannot request the endpoints: connection refused$/);
});

test('gives up a server that does not respond', async () => {
  const url = await startWebServer(() => {});
  const reader = new SourceReader(new HttpSource({ url, timeoutMs: 50 }, 1000));
  await expect(reader.next()).rejects.toThrow(/^cannot request the endpoints: no response within 0.05 s$/);
});
