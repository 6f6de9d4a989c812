import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createSimulator } from '../src/simulator.ts';
import { readExposition, readSampleValue } from './support/exposition.ts';
import { sendRaw, startSimulator, waitUntil } from './support/server.ts';

test('advances in simulated time', () => {
  const simulator = createSimulator({ seed: 1, arrivalRate: 10 });
  simulator.advance(1.5);
  simulator.advance(1.5);
  expect(simulator.timeNs).toBe(1_767_225_603_000_000_000n);
  const mark = simulator.mark();
  simulator.advance(10);
  expect(simulator.getTruth(mark).requests.length).toBeGreaterThan(50);
  expect(simulator.getTruth(undefined, mark).requests.length).toBeLessThan(40);
  readExposition(simulator.scrape());
});

test('runs in real time while it listens', async () => {
  const beforeNs = BigInt(Date.now()) * 1_000_000n;
  const simulator = await startSimulator();
  expect(() => simulator.advance(1)).toThrow('cannot advance while listening');
  await waitUntil(() => simulator.timeNs > beforeNs);
  const started = readSampleValue(readExposition(simulator.scrape()), 'process_start_time_seconds');
  expect(Math.abs(started - Date.now() / 1000)).toBeLessThan(5);
});

test('switches from simulated to real time', async () => {
  const simulator = createSimulator({ seed: 1, arrivalRate: 10 });
  simulator.advance(30);
  const { url } = await simulator.listen();
  try {
    const { body } = await sendRaw(`${url}/metrics`);
    const families = readExposition(body.toString());
    expect(readSampleValue(families, 'vllm:request_prompt_tokens_count')).toBeGreaterThan(200);
  } finally {
    await simulator.close();
  }
  simulator.advance(1);
});

test('listen rejects if a port is in use, and leaves no port open', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1');
  await waitUntil(() => otherServer.listening);
  const { port } = otherServer.address() as AddressInfo;
  const message = `cannot listen on 127.0.0.1:${port}: the port is in use`;
  await expect(createSimulator().listen(port)).rejects.toThrow(message);
  const triton = createSimulator({ kind: 'triton', sidePort: port });
  await expect(triton.listen()).rejects.toThrow(message);
  await triton.close();
  otherServer.close();
});

test('puts an IPv6 address in brackets if it cannot listen on it', async () => {
  // An address for documentation (RFC 3849), which no interface has.
  await expect(createSimulator().listen(8000, '2001:db8::1')).rejects.toThrow(
    /^cannot listen on \[2001:db8::1\]:8000: /,
  );
});

test('close cancels the reopening of ports', async () => {
  const simulator = createSimulator({ arrivalRate: 100, kind: 'dynamo' });
  const { pages } = await simulator.listen();
  await simulator.control.refuse(0.05);
  await simulator.close();
  await new Promise(resolve => setTimeout(resolve, 100));
  for (const url of Object.values(pages)) await expect(sendRaw(url)).rejects.toThrow('ECONNREFUSED');
});
