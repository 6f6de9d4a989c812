import { createRun } from '@org/analysis';
import { expect, test } from 'vitest';
import { createDocument } from '../../../../../packages/analysis/test/documents.ts';
import { buildEnergyTile } from '../../../src/report/model/energyTile.ts';

function build(metrics: Readonly<Record<string, readonly [unit: string, avg: number]>>): unknown {
  const clientMetrics = new Map(Object.entries(metrics).map(([name, [unit, avg]]) => [name, { unit, avg }]));
  const view = createDocument({}) as never;
  return buildEnergyTile(createRun({ name: 'run', layout: 'json', files: {}, view, clientMetrics }), []);
}

test.each([
  [
    'the energy per output token and per request, and the mean power',
    {
      nvidia_total_gpu_energy: ['J', 28_109],
      nvidia_energy_per_output_token: ['mJ/token', 1064.1],
      nvidia_energy_per_request: ['joules/request', 60.06],
      nvidia_average_gpu_power: ['W', 697.6],
    },
    { name: 'Energy per token', value: '1.06 J', details: ['60.1 J/request', 'mean 698 W'] },
  ],
  [
    'the total if no tokens are known',
    { amd_total_gpu_energy: ['J', 28_109] },
    { value: '28.1 kJ', details: [] },
  ],
  ['nothing without an energy', { nvidia_average_gpu_power: ['W', 697.6] }, undefined],
] as const)('shows %s', (_, metrics, expected) => {
  const tile = build(metrics);
  if (expected) expect(tile).toMatchObject(expected);
  else expect(tile).toBeUndefined();
});
