import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ArrivalTracker } from '../../src/server/arrivalTracker.ts';

function blockThread(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/**
 * Starts a server that blocks its event loop for `workMs` after it accepts a connection. It records when it
 * accepted the connection and the arrival time of each read. Returns these times and a client that is
 * connecting.
 */
async function startServer(workMs: number) {
  const arrivals = new ArrivalTracker();
  const times = { acceptedNs: 0, arrivedNs: [] as number[] };
  const server = createServer(socket => {
    times.acceptedNs = performance.now() * 1e6;
    arrivals.addConnection(socket);
    blockThread(workMs);
    socket.on('data', () => times.arrivedNs.push(arrivals.takeArrivalNs(socket)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { times, client };
}

/** Sends a byte and waits until the server has read `count` times. */
async function send(client: Socket, arrivedNs: readonly number[], count: number): Promise<void> {
  client.write('x');
  while (arrivedNs.length < count) await sleep(1);
}

test('dates the first request at the acceptance of its connection if the event loop has not been idle since', async () => {
  const workMs = 200;
  const { times, client } = await startServer(workMs);
  // The request is written before the connection is established, so its bytes follow the connection immediately.
  await send(client, times.arrivedNs, 1);
  // The time of the read is at least `workMs` later. A busy machine delays the acceptance by far less.
  expect(times.arrivedNs[0]).toBeLessThan(times.acceptedNs + (workMs / 2) * 1e6);
});

test('dates a request after a pause at the time at which it is read', async () => {
  const { times, client } = await startServer(0);
  await once(client, 'connect');
  await sleep(50);
  await send(client, times.arrivedNs, 1);
  expect(times.arrivedNs[0]).toBeGreaterThan(times.acceptedNs + 40e6);
  await sleep(50);
  await send(client, times.arrivedNs, 2);
  expect(times.arrivedNs[1]).toBeGreaterThan(times.arrivedNs[0]! + 40e6);
});
