import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { RoundTrips } from '../../src/network/roundTrips.ts';

/** Opens the measurements of the built package, because a worker thread needs a built file. */
async function openRoundTrips(urls: readonly string[]): Promise<RoundTrips> {
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
  const measuring = await openRoundTrips([`http://127.0.0.1:${port}`]);
  measuring.start();
  const roundTrips = await measuring.stop();
  expect(roundTrips).toHaveLength(5);
  expect(roundTrips[0]).toMatchObject({ target: { host: '127.0.0.1', port } });
  expect(roundTrips.every(({ durationMs }) => durationMs! > 0)).toBe(true);
});

test('returns nothing if it was not started', async () => {
  const measuring = await openRoundTrips(['http://127.0.0.1:1']);
  expect(await measuring.stop()).toEqual([]);
});
