import { expect, test } from 'vitest';
import { Simulation } from '../../src/simulation.ts';
import { readExposition, readSampleValue } from '../support/exposition.ts';

const COUNTERS = [
  'process_cpu_seconds_total',
  'python_gc_collections_total',
  'python_gc_objects_collected_total',
];

test('counters and memory of the process grow with its age', () => {
  const simulation = new Simulation({ seed: 1 });
  const read = () => readExposition(simulation.getPage().read('').body);
  const earlyFamilies = read();
  simulation.advanceTo(100e9);
  const lateFamilies = read();
  for (const name of [...COUNTERS, 'process_resident_memory_bytes'])
    expect(readSampleValue(lateFamilies, name), name).toBeGreaterThan(readSampleValue(earlyFamilies, name));
  for (const name of ['process_start_time_seconds', 'process_max_fds'])
    expect(readSampleValue(lateFamilies, name), name).toBe(readSampleValue(earlyFamilies, name));
});

test('the process start time is the start time of the simulation', () => {
  const simulation = new Simulation({ startTimeNs: 1_700_000_000_250_000_000n });
  const families = readExposition(simulation.getPage().read('').body);
  expect(readSampleValue(families, 'process_start_time_seconds')).toBe(1_700_000_000.25);
});

test('counters of the process and of the Python runtime have no creation times', () => {
  const { body } = new Simulation().getPage().read('');
  expect(body).not.toMatch(/^(?:python|process)_\w+_created/m);
  expect(body).toMatch(/^vllm:prompt_tokens_created/m);
});
