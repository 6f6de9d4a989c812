import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';
import { blockOf, FAST, filesOf, ran, temporaryFolder } from './support.ts';

const ANSWER = JSON.stringify({
  model: 'm',
  choices: [{ message: { content: 'one two three' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
});

/** Every request in turn: an answer, 429, an answer, 500, a connection that breaks. It has no metrics. */
let server: Server;
let url = '';
let asked = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    request.resume().on('end', () => {
      const turn = asked++ % 5;
      if (turn === 1)
        response.writeHead(429, { 'retry-after': '2' }).end('{"error":{"message":"slow down"}}');
      else if (turn === 3) response.writeHead(500).end(`{"error":{"message":"boom in worker ${asked}"}}`);
      else if (turn === 4)
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":');
      else response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
      if (turn === 4) setTimeout(() => request.socket.destroy(), 5);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('groups failures, and excludes them from latencies', async () => {
  asked = 0;
  const { folder, document } = await ran(url, [
    '--request-count',
    '20',
    '--isl',
    '10',
    '--no-server-metrics',
  ]);
  const groups = document.error_summary!.map(({ error_details: details, count }) => [
    details!.type,
    details!.code,
    count,
  ]);
  expect(groups).toHaveLength(3);
  expect(groups).toContainEqual(['HttpError', 429, 4]);
  expect(groups).toContainEqual(['HttpError', 500, 4]);
  expect(groups.some(([type, , count]) => type === 'ConnectionReset' && count === 4)).toBe(true);
  expect(blockOf(document, 'request_count').avg).toBe(8);
  expect(blockOf(document, 'error_request_count').avg).toBe(12);
  expect(blockOf(document, 'error_isl')).toMatchObject({ count: 12, sum: 120 });
  expect(blockOf(document, 'request_latency').count).toBe(8);
  const { records } = await filesOf(folder);
  expect(records.filter(({ error }) => error).every(({ metrics }) => !('request_latency' in metrics))).toBe(
    true,
  );
});

async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const folder = temporaryFolder();
  const io = testIo(folder, FAST);
  const code = await main(['profile', '--model', 'm', '--artifact-dir', folder, ...args], io);
  return { code, out: io.out.join(''), err: io.err.join('') };
}

test('redacts an API key that the server echoes', async () => {
  const strict = createServer((request, response) => {
    const said = `no such key: ${request.headers.authorization}`;
    request.resume().on('end', () => response.writeHead(401).end(JSON.stringify({ error: said })));
  });
  await new Promise<void>(resolve => strict.listen(0, '127.0.0.1', resolve));
  const args = ['--request-count', '2', '--isl', '10', '--no-server-metrics'];
  const address = `http://127.0.0.1:${(strict.address() as AddressInfo).port}`;
  const { folder, document } = await ran(address, [
    ...args,
    ...['--api-key', 'sk-very-secret'],
    ...['--extra-inputs', '{"nested":{"api_key":"deep-secret"}}'],
  ]);
  strict.closeAllConnections();
  strict.close();
  const { records } = await filesOf(folder);
  const message = 'HTTP status 401: no such key: Bearer <redacted>';
  expect(records.map(({ error }) => error?.message)).toEqual([message, message]);
  const shown = JSON.stringify(document);
  expect(shown).not.toMatch(/very-secret|deep-secret/);
  expect(shown).toContain(message);
});

test('shows errors, and exits with 0 if a request succeeded', async () => {
  asked = 0;
  const { code, out } = await command('--url', url, '--request-count', '5', '--isl', '10');
  expect(code).toBe(0);
  expect(out).toMatch(/1 × HttpError 429: .*slow down/);
  expect(out).toMatch(/Request Latency/);
});

test('reports an unreachable server', async () => {
  const { code, out, err } = await command('--url', 'localhost:1', '--request-count', '3', '--isl', '10');
  expect(code).toBe(1);
  expect(out).toMatch(/3 × ConnectionRefused ECONNREFUSED/);
  expect(err).toMatch(/all 3 requests failed/);
});

test('fails if required metrics are missing', async () => {
  asked = 0;
  const args = ['--url', url, '--request-count', '3', '--isl', '10'];
  const { code, err } = await command(...args, '--require-server-metrics');
  expect(code).toBe(1);
  expect(err).toMatch(/--require-server-metrics: no data from http/);
});

test.each([
  [['--concurrency', 'many'], /invalid --concurrency "many": expected an integer of at least 1/],
  [['--tokenizer', '/nowhere'], /--tokenizer: cannot read tokenizer "\/nowhere"/],
  [['--input-file', '/nowhere'], /invalid --input-file "\/nowhere": no such file$/m],
  [['--streming'], /--?streming/],
  [['--streaming=yes'], /invalid --streaming "yes": expected true, false or no value/],
  [['--quiet', 'stray'], /unexpected argument "stray"/],
])('rejects %j', async (args, message) => {
  const { code, err } = await command('--url', url, ...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
