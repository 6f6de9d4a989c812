import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestRecord } from '@org/loadgen';
import { expect, onTestFinished, test } from 'vitest';
import { computeMeanStreams, getProfilingRecords, runLoad } from '../../src/loadgen/load.ts';

/** Starts a server that responds to every request with `status`. Returns the URL of the server. */
async function startServer(status: number): Promise<string> {
  const completion = { choices: [{ message: { content: 'done' }, finish_reason: 'stop' }] };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('returns all records, with the duration of the profiling phase', async () => {
  const url = await startServer(200);
  const result = await runLoad(url, undefined, {
    target: { urls: [url], model: 'm', streaming: false },
    warmup: { concurrency: 1, requestCount: 2 },
    profiling: { concurrency: 2, requestCount: 6 },
  });
  expect(result.records).toHaveLength(8);
  expect(getProfilingRecords(result)).toHaveLength(6);
  expect(result.seconds).toBeGreaterThan(0);
  const streams = computeMeanStreams(result);
  expect(streams).toBeGreaterThan(0);
  expect(streams).toBeLessThanOrEqual(2);
});

test('throws if a request fails', async () => {
  const url = await startServer(500);
  await expect(runLoad(url, undefined, { profiling: { concurrency: 1, requestCount: 1 } })).rejects.toThrow(
    'a request failed: ',
  );
});

test('computes the mean number of concurrent requests from the profiling phase only', () => {
  const records = [
    { phase: 'warmup', startNs: 0, endNs: 9e9 },
    { phase: 'profiling', startNs: 0, endNs: 2e9 },
    { phase: 'profiling', startNs: 1e9, endNs: 2e9 },
  ] as RequestRecord[];
  // The profiling requests take 2 s and 1 s of a phase of 2 s.
  expect(computeMeanStreams({ records, seconds: 2 })).toBe(1.5);
});
