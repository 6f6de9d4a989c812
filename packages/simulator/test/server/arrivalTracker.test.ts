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
 * Starts a server that works for a while after it accepted a connection, and records the time of acceptance
 * and the arrival time of each read.
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

async function send(client: Socket, reads: readonly number[], count: number): Promise<void> {
  client.write('x');
  while (reads.length < count) await sleep(1);
}

test('dates the first request to its connection if the loop was busy since', async () => {
  const workMs = 200;
  const { times, client } = await startServer(workMs);
  // Written before the connection is established: the bytes follow at once.
  await send(client, times.arrivedNs, 1);
  // A read after the work would be dated at least `workMs` later; a busy machine delays the date by far less.
  expect(times.arrivedNs[0]).toBeLessThan(times.acceptedNs + (workMs / 2) * 1e6);
});

test('dates requests after a pause to their read', async () => {
  const { times, client } = await startServer(0);
  await once(client, 'connect');
  await sleep(50);
  await send(client, times.arrivedNs, 1);
  expect(times.arrivedNs[0]).toBeGreaterThan(times.acceptedNs + 40e6);
  await sleep(50);
  await send(client, times.arrivedNs, 2);
  expect(times.arrivedNs[1]).toBeGreaterThan(times.arrivedNs[0]! + 40e6);
});
