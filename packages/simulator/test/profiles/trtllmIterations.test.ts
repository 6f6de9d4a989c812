import { expect, test } from 'vitest';
import { Simulation } from '../../src/simulation.ts';

function createPage(arrivalRate = 20) {
  const simulation = new Simulation({ kind: 'trtllm', seed: 6, arrivalRate });
  const page = simulation.getPage('iterations');
  const read = () => JSON.parse(page.read('').body) as Record<string, unknown>[];
  return { simulation, page, read };
}

test('lists the iterations since the last read', () => {
  const { simulation, read } = createPage();
  simulation.advanceTo(2e9);
  const first = read();
  expect(first.length).toBeGreaterThan(10);
  expect(read()).toEqual([]);
  simulation.advanceTo(4e9);
  const numbers = [...first, ...read()].map(({ iter }) => iter);
  expect(numbers).toEqual(numbers.map((_, index) => index));
});

test('keeps the latest 1000 unread iterations', () => {
  const { simulation, read } = createPage(40);
  simulation.advanceTo(40e9);
  const iterations = read();
  expect(iterations).toHaveLength(1000);
  expect(iterations[0]!.iter).toBeGreaterThan(1000);
});

test('contains the state of the engine and the time of the iteration', () => {
  const { simulation, read } = createPage();
  simulation.advanceTo(2e9);
  const last = read().at(-1)!;
  const [engine] = simulation.engines;
  expect(last).toMatchObject({
    numActiveRequests: engine!.running,
    maxBatchSizeRuntime: engine!.options.maxRunning,
    kvCacheStats: { maxNumBlocks: engine!.options.kvBlocks, tokensPerBlock: engine!.options.blockSize },
  });
  expect(last.timestamp).toMatch(/^01-01-2026 00:00:01\.\d{6}$/);
});
