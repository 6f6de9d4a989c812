import { describe, expect, test } from 'vitest';
import { checkRun } from '../../src/check/checkRun.ts';
import { parseAssertion } from '../../src/check/rules.ts';
import { compareRuns } from '../../src/compare/compareRuns.ts';
import { createRun, type Run } from '../../src/run/run.ts';
import { type GpuServers, toServerEnergyFamilies } from '../../src/run/serverEnergy.ts';

const SERVERS = [
  {
    endpoint_url: 'http://a:8000/metrics',
    gpus: ['GPU-0', 'GPU-1'],
    energy_joules: 600,
    output_tokens: 1000,
    energy_per_output_token: 600,
    output_token_throughput_per_gpu: 50,
  },
  { endpoint_url: 'http://b:8000/metrics', gpus: ['GPU-2'], energy_joules: 500, output_tokens: 0 },
];
const NAMES = new Map([['http://a:8000/metrics', 'prefill worker']]);

test('each server has a series with its name, and unknown values are left out', () => {
  const families = toServerEnergyFamilies(SERVERS, NAMES);
  expect(
    families.map(({ name, unit, series }) => [
      name,
      unit,
      ...series.map(({ labels, stats }) => [labels.server, stats.avg]),
    ]),
  ).toEqual([
    ['server_gpu_energy', 'J', ['prefill worker', 600], ['http://b:8000/metrics', 500]],
    ['server_energy_per_output_token', 'mJ/token', ['prefill worker', 600]],
    ['server_output_token_throughput_per_gpu', 'tokens/sec/gpu', ['prefill worker', 50]],
  ]);
});

test('a single server has the energy of the run, without metrics per server', () => {
  expect(toServerEnergyFamilies(SERVERS.slice(0, 1), NAMES)).toEqual([]);
});

/** Creates a run whose second server uses `joules` J for 1,000 tokens. */
function createEnergyRun(joules: number): Run {
  const second = {
    ...SERVERS[1]!,
    energy_joules: joules,
    output_tokens: 1000,
    energy_per_output_token: joules,
  };
  const gpuServers: GpuServers = [SERVERS[0]!, second];
  const view = { schema_version: '1.0', metrics: {} } as const;
  return createRun({ name: 'run', layout: 'none', files: {}, view, gpuServers });
}

describe('the energy of servers', () => {
  test.each([
    ['server_energy_per_output_token{server="http://b:8000/metrics"} < 600', 'passed'],
    ['max(server_energy_per_output_token) < 600', 'failed'],
    ['server_gpu_energy{server="http://b:8000/metrics"} < baseline * 1.1', 'failed'],
    ['server_energy_per_output_token < 700', 'unknown'],
  ])('is checked by %s', (rule, outcome) => {
    const [result] = checkRun(createEnergyRun(500), [parseAssertion(rule)], createEnergyRun(400));
    expect(result!.outcome).toBe(outcome);
  });

  test('is explained if it is missing', () => {
    const [result] = checkRun(
      createRun({ name: 'run', layout: 'none', files: {}, view: { schema_version: '1.0', metrics: {} } }),
      [parseAssertion('max(server_gpu_energy) < 1')],
    );
    expect(result).toMatchObject({ outcome: 'unknown', detail: expect.stringContaining('--gpu-map') });
  });

  test('is compared by server, lower energy is better', () => {
    const { rows } = compareRuns([createEnergyRun(500)], [createEnergyRun(400)]);
    const energy = rows.filter(({ name }) => name === 'server_energy_per_output_token');
    expect(energy.map(row => [row.labels.server, row.base, row.new, row.better])).toEqual(
      expect.arrayContaining([['http://b:8000/metrics', 500, 400, 'lower']]),
    );
  });
});
