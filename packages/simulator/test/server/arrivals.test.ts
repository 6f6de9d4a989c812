import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Arrivals } from '../../src/server/arrivals.ts';

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** A server that works for a while after it has accepted, and tells when it accepted and what it takes for the arrival of each read. */
async function serving(workMs: number) {
  const arrivals = new Arrivals();
  const told = { acceptedNs: 0, arrivedNs: [] as number[] };
  const server = createServer(socket => {
    told.acceptedNs = performance.now() * 1e6;
    arrivals.connected(socket);
    work(workMs);
    socket.on('data', () => told.arrivedNs.push(arrivals.requested(socket)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { told, client };
}

async function send(client: Socket, reads: readonly number[], count: number): Promise<void> {
  client.write('x');
  while (reads.length < count) await sleep(1);
}

test('the first request has come with its connection when the loop has been at work since', async () => {
  const { told, client } = await serving(20);
  // Written before it is connected: the bytes follow at once.
  await send(client, told.arrivedNs, 1);
  expect(told.arrivedNs[0]).toBeLessThan(told.acceptedNs + 1e6);
});

test('one that comes after a pause has come then, and so have those that follow', async () => {
  const { told, client } = await serving(0);
  await once(client, 'connect');
  await sleep(50);
  await send(client, told.arrivedNs, 1);
  expect(told.arrivedNs[0]).toBeGreaterThan(told.acceptedNs + 40e6);
  await sleep(50);
  await send(client, told.arrivedNs, 2);
  expect(told.arrivedNs[1]).toBeGreaterThan(told.arrivedNs[0]! + 40e6);
});
