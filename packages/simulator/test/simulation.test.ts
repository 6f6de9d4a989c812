import { describe, expect, test } from 'vitest';
import type { SimulatorOptions } from '../src/options.ts';
import { Simulation } from '../src/simulation.ts';
import { readExposition, sampleValue } from './support/exposition.ts';

const run = (options: Partial<SimulatorOptions>, seconds: number): Simulation => {
  const simulation = new Simulation({ seed: 1, arrivalRate: 20, ...options });
  simulation.advanceTo(seconds * 1e9);
  return simulation;
};

const body = (simulation: Simulation, page?: string): string => simulation.page(page).read('').body;

test('the same seed gives the same bodies and the same truth', () => {
  const [a, b, c] = [run({ seed: 8 }, 20), run({ seed: 8 }, 20), run({ seed: 9 }, 20)];
  expect(body(a)).toBe(body(b));
  expect(a.truth()).toEqual(b.truth());
  expect(body(a)).not.toBe(body(c));
});

test('what arrives, and when, does not depend on the server', () => {
  const arrivals = (options: Partial<SimulatorOptions>): unknown[] => {
    const simulation = new Simulation({ seed: 1, arrivalRate: 20, ...options });
    const seen: unknown[] = [];
    for (const engine of simulation.engines) {
      engine.observe({ arrived: ({ arrivalNs, spec }) => seen.push({ arrivalNs, spec }) });
    }
    simulation.advanceTo(20e9);
    return seen;
  };
  const many = arrivals({});
  expect(many.length).toBeGreaterThan(300);
  expect(arrivals({ maxRunning: 4 })).toEqual(many);
  expect(arrivals({ kind: 'triton', engines: 3 })).toEqual(many);
});

describe('a restart', () => {
  const simulation = run({}, 10);
  const before = simulation.mark();
  simulation.restart();
  const after = readExposition(body(simulation));
  simulation.advanceTo(20e9);

  test('begins every counter at 0, and tells a later start', () => {
    for (const { name, type, samples } of after.values()) {
      if (!name.startsWith('vllm:') || type === 'gauge') continue;
      for (const { value } of samples) expect(value).toBe(0);
    }
    expect(sampleValue(after, 'process_start_time_seconds')).toBe(1767225610);
  });

  test('does not stop the traffic, nor the truth', () => {
    const { requests } = simulation.truth(before);
    expect(requests.length).toBeGreaterThan(100);
    for (const { arrivalNs } of requests) expect(arrivalNs).toBeGreaterThanOrEqual(10e9);
    const { histograms } = simulation.truth();
    const e2e = histograms.find(({ name }) => name === 'vllm:e2e_request_latency_seconds')!;
    expect(e2e.values).toHaveLength(simulation.truth().requests.length);
  });
});

test('truth that was not recorded cannot be had', () => {
  expect(() => run({ recordTruth: false }, 1).truth()).toThrow('recordTruth: true');
});

test('an unknown page is named, with those that there are', () => {
  expect(() => run({ kind: 'trtllm' }, 0).page('metrics')).toThrow(
    '"metrics" does not exist; this server has iterations, prometheus',
  );
});

test('wall time starts where it is told to', () => {
  const simulation = new Simulation({ startTimeNs: 1_700_000_000_000_000_000n });
  simulation.advanceTo(1.5e9);
  expect(simulation.timeNs).toBe(1_700_000_001_500_000_000n);
  simulation.placeAt(1_800_000_000_000_000_000n);
  expect(simulation.timeNs).toBe(1_800_000_000_000_000_000n);
});
