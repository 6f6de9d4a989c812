import { expect, test } from 'vitest';
import { checkRun } from '../../src/check/checkRun.ts';
import { parseAssertion } from '../../src/check/rules.ts';
import { createClientRun } from '../compare/runs.ts';

/** Creates a run with the energy of each platform in joules, for 1000 output tokens. */
function createEnergyRun(joules: Readonly<Record<string, number>>) {
  const metrics = Object.entries(joules).flatMap(([platform, value]) => [
    [`${platform}_total_gpu_energy`, { unit: 'J', avg: value }],
    [`${platform}_energy_per_output_token`, { unit: 'mJ/token', avg: value }],
  ]);
  return createClientRun(Object.fromEntries(metrics));
}

test.each<[joules: Readonly<Record<string, number>>, rule: string, expected: object]>([
  [{ nvidia: 400 }, 'energy_per_output_token < 500', { outcome: 'passed' }],
  [
    { nvidia: 800 },
    'energy_per_output_token < 500',
    { outcome: 'failed', detail: 'found 800 mJ/token, required < 500 mJ/token' },
  ],
  [{ amd: 400 }, 'energy_per_output_token.avg < 500', { outcome: 'passed' }],
  [{ amd: 400 }, 'amd_energy_per_output_token < 500', { outcome: 'passed' }],
  [
    { amd: 400, nvidia: 400 },
    'energy_per_output_token < 500',
    {
      outcome: 'unknown',
      detail:
        'no metric energy_per_output_token; did you mean amd_energy_per_output_token, nvidia_energy_per_output_token?',
    },
  ],
  [
    {},
    'energy_per_output_token < 500',
    { outcome: 'unknown', detail: 'no metric energy_per_output_token; the run contains no energy of GPUs' },
  ],
  [
    {},
    'nvidia_output_tps_per_watt > 1',
    {
      outcome: 'unknown',
      detail: 'no metric nvidia_output_tps_per_watt; the run contains no energy of GPUs',
    },
  ],
])('%j: %s', (joules, rule, expected) => {
  expect(checkRun(createEnergyRun(joules), [parseAssertion(rule)])).toMatchObject([expected]);
});

test('the energy is compared with a baseline', () => {
  const rules = [parseAssertion('energy_per_output_token < baseline * 1.1')];
  const [base, other] = [createEnergyRun({ nvidia: 400 }), createEnergyRun({ nvidia: 800 })];
  expect(checkRun(other, rules, base)[0]!.outcome).toBe('failed');
  expect(checkRun(base, rules, other)[0]!.outcome).toBe('passed');
});
