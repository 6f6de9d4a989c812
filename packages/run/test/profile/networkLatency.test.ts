import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NetworkLatency } from '../../src/profile/networkLatency.ts';
import { createFolder } from '../plans.ts';

type Plan = ConstructorParameters<typeof NetworkLatency>[0];

/** Measures the round trip to a server. */
async function measure(url: string): Promise<NetworkLatency> {
  const request = { urls: [url] } as unknown as Plan['request'];
  const network = new NetworkLatency({ networkLatency: { intervalS: 60 }, request });
  await network.open();
  network.start();
  await network.stop();
  return network;
}

async function listen(): Promise<string> {
  const server: Server = createServer(socket => socket.resume().on('error', () => {}));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`;
}

test('writes a line for each measurement, with exact times', async () => {
  const path = join(createFolder(), 'network.jsonl');
  const network = await measure(await listen());
  await network.write(path);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(5);
  // Numbers of 19 digits are not exact in JavaScript: the time has a resolution of milliseconds.
  for (const line of lines)
    expect(line).toMatch(/^\{"timestamp_ns":\d{13}000000,"target_url":"http:.*"success":true\}$/);
  expect(network.warnings).toEqual([]);
});

test('without a connection, the round trip is unknown, with the reason', async () => {
  const network = await measure('http://127.0.0.1:1');
  expect(network.warnings).toEqual([
    {
      kind: 'network_latency',
      message: expect.stringMatching(
        /^the round trip to the servers is unknown: no connection succeeded \(.*ECONNREFUSED/,
      ),
    },
  ]);
});

test('without measurements, there is no warning and no file', async () => {
  const network = new NetworkLatency({ request: { urls: [] } as unknown as Plan['request'] });
  await network.open();
  await network.stop();
  expect(await network.write(join(createFolder(), 'network.jsonl'))).toBeUndefined();
  expect(network.warnings).toEqual([]);
});
