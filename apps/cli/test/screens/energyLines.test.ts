import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { renderEnergy } from '../../src/screens/energyLines.ts';

const STYLE = { width: 140, color: false };

function createDocument(fields: object): ProfileExport {
  return { schema_version: '1.3', ...fields } as unknown as ProfileExport;
}

const ENERGY = {
  nvidia_total_gpu_power: { unit: 'W', avg: 650 },
  nvidia_average_gpu_power: { unit: 'W', avg: 651.2 },
  nvidia_total_gpu_energy: { unit: 'J', avg: 943.8 },
  nvidia_output_tokens_per_joule: { unit: 'tokens/J', avg: 1.0108 },
  nvidia_energy_per_output_token: { unit: 'mJ/token', avg: 989.3 },
  nvidia_energy_per_request: { unit: 'joules/request', avg: 23.595 },
};

test('shows the power, the energy and the energy per token and request', () => {
  const document = createDocument({
    ...ENERGY,
    gpu_energy: [{ platform: 'nvidia', gpu_count: 2, source: 'counter' }],
  });
  expect(renderEnergy(document, STYLE)).toEqual([
    '2 NVIDIA GPUs: 651 W, 944 J, 0.989 J/output token, 23.6 J/request, 1.01 tok/J',
  ]);
});

test('says that the energy was integrated, and for how long samples are missing', () => {
  const document = createDocument({
    amd_total_gpu_power: { unit: 'W', avg: 40 },
    amd_total_gpu_energy: { unit: 'J', avg: 400 },
    gpu_energy: [{ platform: 'amd', gpu_count: 1, source: 'power', gap_seconds: 12 }],
  });
  expect(renderEnergy(document, STYLE)).toEqual([
    '1 AMD GPU: 40 W, 400 J, energy integrated from the power',
    ' no GPU samples for 12 s; the energy is interpolated there',
  ]);
});

test('shows nothing without GPUs, or without their power', () => {
  expect(renderEnergy(createDocument({}), STYLE)).toEqual([]);
  expect(renderEnergy(createDocument({ gpu_energy: [{ platform: 'nvidia', gpu_count: 1 }] }), STYLE)).toEqual(
    [],
  );
});
