import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator.ts';

/** Reads the samples of a metric on the page of GPUs. */
function readValues(body: string, name: string): number[] {
  return body
    .split('\n')
    .filter(line => line.startsWith(`${name}{`))
    .map(line => Number(line.slice(line.lastIndexOf(' '))));
}

test('GPUs without work draw the idle power', () => {
  const simulator = createSimulator({ gpus: 2 });
  simulator.scrape('gpus');
  simulator.advance(10);
  const body = simulator.scrape('gpus');
  expect(readValues(body, 'DCGM_FI_DEV_POWER_USAGE')).toEqual([75, 75]);
  expect(readValues(body, 'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION')).toEqual([1_000_750_000, 1_000_750_000]);
  expect(simulator.simulation.gpus.getJoules(0, 10e9)).toBe(750);
});

test('the mean power between two reads times their distance is the energy', () => {
  const simulator = createSimulator({ gpus: 1, arrivalRate: 5 });
  simulator.scrape('gpus');
  const before = simulator.simulation.gpus.getJoules(0, 0);
  simulator.advance(20);
  const [watts] = readValues(simulator.scrape('gpus'), 'DCGM_FI_DEV_POWER_USAGE');
  expect(watts).toBeGreaterThan(100);
  expect(watts).toBeLessThanOrEqual(350);
  expect(simulator.simulation.gpus.getJoules(0, 20e9) - before).toBeCloseTo(watts! * 20, 3);
});

test('the GPUs of each engine work while it computes', () => {
  const simulator = createSimulator({ gpus: 4, engines: 2, arrivalRate: 10 });
  simulator.advance(20);
  const joules = [0, 1, 2, 3].map(index => simulator.simulation.gpus.getJoules(index, 20e9));
  expect(joules[0]).toBe(joules[2]);
  expect(joules[1]).toBe(joules[3]);
  expect(joules[0]).not.toBe(joules[1]);
});

test('the energy counter continues after a restart of the server', () => {
  const simulator = createSimulator({ gpus: 1, arrivalRate: 5 });
  simulator.advance(10);
  const [before] = readValues(simulator.scrape('gpus'), 'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION');
  simulator.simulation.restart();
  simulator.advance(1);
  const [after] = readValues(simulator.scrape('gpus'), 'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION');
  expect(after).toBeGreaterThan(before!);
});

test('MIG instances repeat the energy of their GPU, and divide its memory', () => {
  const simulator = createSimulator({ gpus: 1, gpuExporter: 'dcgm-mig' });
  simulator.advance(1);
  const body = simulator.scrape('gpus');
  expect(readValues(body, 'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION')).toEqual([1_000_075_000, 1_000_075_000]);
  expect(readValues(body, 'DCGM_FI_DEV_FB_USED')).toEqual([36_000, 36_000]);
  expect(readValues(body, 'DCGM_FI_DEV_GPU_UTIL')).toEqual([]);
});

test("AMD's exporter counts microjoules", () => {
  const simulator = createSimulator({ gpus: 1, gpuExporter: 'amd' });
  simulator.advance(1);
  expect(readValues(simulator.scrape('gpus'), 'gpu_energy_consumed')).toEqual([1_000_075_000_000]);
});

test('a server without GPUs has no page for them', () => {
  expect(createSimulator().simulation.pages.map(({ name }) => name)).not.toContain('gpus');
});
