import { expect, test } from 'vitest';
import { compareRuns, type Run } from '../../src/index.ts';
import { createClientRun } from './runs.ts';

/** Creates repeats of a run whose energy deviates from a mean by up to 1%. */
function createRepeats(joules: number): Run[] {
  return [0.99, 1, 1.01, 0.995, 1.005].map(factor =>
    createClientRun({
      nvidia_total_gpu_energy: { unit: 'J', avg: joules * factor },
      nvidia_energy_per_output_token: { unit: 'mJ/token', avg: joules * factor },
      nvidia_output_tokens_per_joule: { unit: 'tokens/J', avg: 1000 / (joules * factor) },
    }),
  );
}

const findRow = (base: readonly Run[], other: readonly Run[], metric: string) =>
  compareRuns(base, other).rows.find(({ name }) => name === metric)!;

test('repeats that need twice the energy are worse, with the factor in the interval', () => {
  const [base, other] = [createRepeats(500), createRepeats(1000)];
  const row = findRow(base, other, 'nvidia_energy_per_output_token');
  expect(row).toMatchObject({ verdict: 'worse' });
  expect(row.change).toBeCloseTo(1, 9);
  expect(row.noise).toBeGreaterThan(0);
  expect(row.noise).toBeLessThan(0.1);
  expect(findRow(base, other, 'nvidia_output_tokens_per_joule').verdict).toBe('worse');
  expect(findRow(other, base, 'nvidia_energy_per_output_token').verdict).toBe('better');
});

test('repeats with the same energy do not differ', () => {
  const row = findRow(createRepeats(500), createRepeats(500), 'nvidia_energy_per_output_token');
  expect(['worse', 'better']).not.toContain(row.verdict);
});

test('a run without GPUs has no row about energy, and the other run is named', () => {
  const { rows, onlyBase } = compareRuns(createRepeats(500), [
    createClientRun({ request_count: { unit: 'requests', avg: 1 } }),
  ]);
  expect(rows.filter(({ name }) => name.includes('energy'))).toEqual([]);
  expect(onlyBase.map(({ name }) => name)).toContain('nvidia_energy_per_output_token');
});
