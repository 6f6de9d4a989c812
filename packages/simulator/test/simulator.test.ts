import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createSimulator } from '../src/simulator.ts';
import { readExposition, sampleValue } from './support/exposition.ts';
import { listening, raw, until } from './support/server.ts';

test('in simulated time', () => {
  const simulator = createSimulator({ seed: 1, arrivalRate: 10 });
  simulator.advance(1.5);
  simulator.advance(1.5);
  expect(simulator.timeNs).toBe(1_767_225_603_000_000_000n);
  const mark = simulator.mark();
  simulator.advance(10);
  expect(simulator.truth(mark).requests.length).toBeGreaterThan(50);
  expect(simulator.truth(undefined, mark).requests.length).toBeLessThan(40);
  readExposition(simulator.exposition());
});

test('in real time once it listens', async () => {
  const before = BigInt(Date.now()) * 1_000_000n;
  const simulator = await listening();
  expect(() => simulator.advance(1)).toThrow('cannot advance while listening');
  await until(() => simulator.timeNs > before);
  const started = sampleValue(readExposition(simulator.exposition()), 'process_start_time_seconds');
  expect(Math.abs(started - Date.now() / 1000)).toBeLessThan(5);
});

test('simulated time first, then real time', async () => {
  const simulator = createSimulator({ seed: 1, arrivalRate: 10 });
  simulator.advance(30);
  const { url } = await simulator.listen();
  try {
    const { body } = await raw(`${url}/metrics`);
    const families = readExposition(body.toString());
    expect(sampleValue(families, 'vllm:request_prompt_tokens_count')).toBeGreaterThan(200);
  } finally {
    await simulator.close();
  }
  simulator.advance(1);
});

test('a port that is taken is an error, and leaves nothing open', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await until(() => other.listening);
  const { port } = other.address() as AddressInfo;
  await expect(createSimulator().listen(port)).rejects.toThrow('EADDRINUSE');
  const triton = createSimulator({ kind: 'triton', sidePort: port });
  await expect(triton.listen()).rejects.toThrow('EADDRINUSE');
  await triton.close();
  other.close();
});

test('closing ends all', async () => {
  const simulator = createSimulator({ arrivalRate: 100, kind: 'dynamo' });
  const { pages } = await simulator.listen();
  await simulator.control.refuse(0.05);
  await simulator.close();
  await new Promise(resolve => setTimeout(resolve, 100));
  for (const url of Object.values(pages)) await expect(raw(url)).rejects.toThrow('ECONNREFUSED');
});
