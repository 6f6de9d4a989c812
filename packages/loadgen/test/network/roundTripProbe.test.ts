import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { computeMeanRoundTrip, RoundTripProbe } from '../../src/network/roundTripProbe.ts';

/** Starts a server that accepts connections. Returns its URL. */
async function startServer(): Promise<string> {
  const server = createServer(socket => socket.resume().on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('measures each server at least five times', async () => {
  const [first, second] = [await startServer(), await startServer()];
  const probe = new RoundTripProbe([first, `${first}/v1?key=secret`, second.replace('http://', '')], 60);
  await probe.open();
  probe.start();
  await probe.stop();
  const urls = probe.roundTrips.map(({ target }) => target.url);
  expect(new Set(urls).size).toBe(2);
  for (const url of new Set(urls)) expect(urls.filter(other => other === url)).toHaveLength(5);
  expect(urls.join()).not.toContain('secret');
  expect(probe.roundTrips.every(({ durationMs }) => durationMs! > 0)).toBe(true);
  const total = probe.roundTrips.reduce((sum, { durationMs }) => sum + durationMs!, 0);
  expect(computeMeanRoundTrip(probe.roundTrips)).toBeCloseTo(total / 10, 9);
});

test('records connections that fail', async () => {
  const probe = new RoundTripProbe(['http://127.0.0.1:1'], 60);
  await probe.open();
  probe.start();
  await probe.stop();
  expect(computeMeanRoundTrip(probe.roundTrips)).toBeUndefined();
  expect(probe.roundTrips[0]).toMatchObject({ durationMs: undefined, error: { type: 'ECONNREFUSED' } });
  expect(probe.roundTrips).toHaveLength(11);
});

test('measures nothing before it starts', async () => {
  const probe = new RoundTripProbe(['https://localhost'], 60);
  await probe.stop();
  expect([probe.roundTrips, computeMeanRoundTrip(probe.roundTrips)]).toEqual([[], undefined]);
});
