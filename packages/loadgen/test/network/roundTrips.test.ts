import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RoundTrips } from '../../src/network/roundTrips.ts';

/** Opens the measurements of the built package, because a worker thread needs a built file. */
async function openBuilt(urls: readonly string[]): Promise<RoundTrips> {
  const moduleUrl = new URL('../../dist/index.js', import.meta.url).href;
  const module = (await import(moduleUrl)) as { RoundTrips: typeof RoundTrips };
  return module.RoundTrips.open({ urls, intervalS: 60 });
}

test('measures in a thread, which ends', async () => {
  const server = createServer(socket => socket.resume().on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const measuring = await openBuilt([`http://127.0.0.1:${port}`]);
  measuring.start();
  const roundTrips = await measuring.stop();
  expect(roundTrips).toHaveLength(5);
  expect(roundTrips[0]).toMatchObject({ target: { host: '127.0.0.1', port } });
  expect(roundTrips.every(({ durationMs }) => durationMs! > 0)).toBe(true);
});

/** The main module of a thread that fails when the measurements start. */
const FAILING_THREAD = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', () => { throw new Error('out of handles'); });
parentPort.postMessage('ready');`;

test('ends if the thread has failed, and says why', async () => {
  const module = new URL(`data:text/javascript,${encodeURIComponent(FAILING_THREAD)}`);
  const measuring = await RoundTrips.open({ urls: [], intervalS: 60 }, module);
  measuring.start();
  await vi.waitUntil(() => measuring.failure !== undefined, { timeout: 60_000 });
  expect(await measuring.stop()).toEqual([]);
  expect(measuring.failure).toBe('the thread that measures it failed: out of handles');
});

test('returns nothing if it was not started', async () => {
  const measuring = await openBuilt(['http://127.0.0.1:1']);
  expect(await measuring.stop()).toEqual([]);
});
