import { describe, expect, test } from 'vitest';
import { Simulation } from '../src/simulation.ts';
import type { SimulatorOptions } from '../src/simulatorOptions.ts';
import { readExposition, readSampleValue } from './support/exposition.ts';

const run = (options: Partial<SimulatorOptions>, seconds: number): Simulation => {
  const simulation = new Simulation({ seed: 1, arrivalRate: 20, ...options });
  simulation.advanceTo(seconds * 1e9);
  return simulation;
};

const readBody = (simulation: Simulation, page?: string): string => simulation.getPage(page).read('').body;

test('simulations return the same bodies and truth only for the same seed', () => {
  const [first, repeated, other] = [run({ seed: 8 }, 20), run({ seed: 8 }, 20), run({ seed: 9 }, 20)];
  expect(readBody(first)).toBe(readBody(repeated));
  expect(first.getTruth()).toEqual(repeated.getTruth());
  expect(readBody(first)).not.toBe(readBody(other));
});

test('arrivals do not depend on the kind and options of the server', () => {
  const listArrivals = (options: Partial<SimulatorOptions>): unknown[] => {
    const simulation = new Simulation({ seed: 1, arrivalRate: 20, ...options });
    const arrived: unknown[] = [];
    for (const engine of simulation.engines) {
      engine.observe({ onArrival: ({ arrivalNs, spec }) => arrived.push({ arrivalNs, spec }) });
    }
    simulation.advanceTo(20e9);
    return arrived;
  };
  const arrivals = listArrivals({});
  expect(arrivals.length).toBeGreaterThan(300);
  expect(listArrivals({ maxRunning: 4 })).toEqual(arrivals);
  expect(listArrivals({ kind: 'triton', engines: 3 })).toEqual(arrivals);
});

describe('a restart', () => {
  const simulation = run({}, 10);
  const restartMark = simulation.mark();
  simulation.restart();
  const familiesAfter = readExposition(readBody(simulation));
  simulation.advanceTo(20e9);

  test('resets all counters to 0 and updates the start time', () => {
    for (const { name, type, samples } of familiesAfter.values()) {
      if (!name.startsWith('vllm:') || type === 'gauge') continue;
      for (const { value } of samples) expect(value).toBe(0);
    }
    // The default start time, 2026-01-01 00:00:00 UTC, and 10 s.
    expect(readSampleValue(familiesAfter, 'process_start_time_seconds')).toBe(1767225610);
  });

  test('continues the traffic, and keeps the truth', () => {
    const { requests } = simulation.getTruth(restartMark);
    expect(requests.length).toBeGreaterThan(100);
    for (const { arrivalNs } of requests) expect(arrivalNs).toBeGreaterThanOrEqual(10e9);
    const { histograms } = simulation.getTruth();
    const e2e = histograms.find(({ name }) => name === 'vllm:e2e_request_latency_seconds')!;
    expect(e2e.values).toHaveLength(simulation.getTruth().requests.length);
  });
});

test('throws if truth was not recorded', () => {
  expect(() => run({ recordTruth: false }, 1).getTruth()).toThrow('recordTruth: true');
});

test('throws for an unknown page and lists the existing ones', () => {
  expect(() => run({ kind: 'trtllm' }, 0).getPage('metrics')).toThrow(
    '"metrics" does not exist; the pages are iterations, prometheus',
  );
});

test('wall time starts at startTimeNs and can be set', () => {
  const simulation = new Simulation({ startTimeNs: 1_700_000_000_000_000_000n });
  simulation.advanceTo(1.5e9);
  expect(simulation.timeNs).toBe(1_700_000_001_500_000_000n);
  simulation.setWallTime(1_800_000_000_000_000_000n);
  expect(simulation.timeNs).toBe(1_800_000_000_000_000_000n);
});
