import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startFailingServer } from '../support/failingServer.ts';
import { getMetric, readClientExports, runProfile } from '../support/profileRun.ts';

const server = await startFailingServer();

test('groups failures by type and status, and excludes them from latencies', async () => {
  server.reset();
  const args = ['--request-count', '20', '--isl', '10', '--no-server-metrics'];
  const { folder, document } = await runProfile(server.url, args);
  const groups = document.error_summary!.map(({ error_details: details, count }) => [
    details!.type,
    details!.code,
    count,
  ]);
  expect(groups).toHaveLength(3);
  expect(groups).toContainEqual(['HttpError', 429, 4]);
  expect(groups).toContainEqual(['HttpError', 500, 4]);
  expect(groups.some(([type, , count]) => type === 'ConnectionReset' && count === 4)).toBe(true);
  expect(getMetric(document, 'request_count').avg).toBe(8);
  expect(getMetric(document, 'error_request_count').avg).toBe(12);
  expect(getMetric(document, 'error_isl')).toMatchObject({ count: 12, sum: 120 });
  expect(getMetric(document, 'request_latency').count).toBe(8);
  const { records } = await readClientExports(folder);
  for (const { error, metrics } of records) if (error) expect(metrics).not.toHaveProperty('request_latency');
});

test('redacts an API key that the server echoes', async () => {
  const rejectingServer = createServer((request, response) => {
    const error = `no such key: ${request.headers.authorization}`;
    request.resume().on('end', () => response.writeHead(401).end(JSON.stringify({ error })));
  });
  await new Promise<void>(resolve => rejectingServer.listen(0, '127.0.0.1', resolve));
  const { folder, document } = await runProfile(
    `http://127.0.0.1:${(rejectingServer.address() as AddressInfo).port}`,
    [
      ...['--request-count', '2', '--isl', '10', '--no-server-metrics', '--api-key', 'sk-very-secret'],
      ...['--extra-inputs', '{"nested":{"api_key":"deep-secret"}}'],
    ],
  );
  rejectingServer.closeAllConnections();
  rejectingServer.close();
  const { records } = await readClientExports(folder);
  const message = 'HTTP status 401: no such key: Bearer <redacted>';
  expect(records.map(({ error }) => error?.message)).toEqual([message, message]);
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/very-secret|deep-secret/);
  expect(text).toContain(message);
});
