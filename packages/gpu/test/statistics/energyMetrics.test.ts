import { expect, test } from 'vitest';
import { computeEnergyMetrics } from '../../src/statistics/energyMetrics.ts';
import { createGpu, createHistory, createWindow, type Samples } from '../support.ts';

const BLOCKS = {
  total_osl: { unit: 'tokens', avg: 500 },
  total_isl: { unit: 'tokens', avg: 1500 },
  request_count: { unit: 'requests', avg: 10 },
  request_latency: { unit: 'ms', avg: 250 },
  request_throughput: { unit: 'requests/sec', avg: 1 },
  output_token_throughput: { unit: 'tokens/sec', avg: 50 },
  goodput: { unit: 'requests/sec', avg: 0 },
};

const AMD: Samples = [
  [9, { amd_power: 100, amd_energy_consumption: 1 }],
  [15, { amd_power: 100, amd_energy_consumption: 1.0005 }],
  [20, { amd_power: 100, amd_energy_consumption: 1.001 }],
];

test('computes the metrics of each platform', () => {
  const nvidia: Samples = [9, 12, 15, 18, 20].map(seconds => [seconds, { nvidia_power_usage: 40 }]);
  const history = createHistory([
    [createGpu(0, 'amd'), AMD],
    [createGpu(0), nvidia],
  ]);
  const options = { history, window: createWindow(10, 20), blocks: BLOCKS, concurrency: 4 };
  const { blocks, records } = computeEnergyMetrics(options);
  const values = Object.fromEntries(
    Object.entries(blocks).map(([tag, { avg }]) => [tag, Number(avg!.toPrecision(9))]),
  );
  expect(values).toEqual({
    amd_total_gpu_power: 100,
    amd_average_gpu_power: 100,
    amd_total_gpu_energy: 1000,
    amd_output_tokens_per_joule: 0.5,
    amd_energy_per_output_token: 2000,
    amd_energy_per_total_token: 500,
    amd_energy_per_request: 100,
    amd_energy_per_user: 250,
    amd_energy_delay_product: 25,
    amd_performance_per_watt: 0.01,
    amd_output_tps_per_watt: 0.5,
    amd_goodput_per_watt: 0,
    nvidia_total_gpu_power: 40,
    nvidia_average_gpu_power: 40,
    nvidia_total_gpu_energy: 400,
    nvidia_output_tokens_per_joule: 1.25,
    nvidia_energy_per_output_token: 800,
    nvidia_energy_per_total_token: 200,
    nvidia_energy_per_request: 40,
    nvidia_energy_per_user: 100,
    nvidia_energy_delay_product: 10,
    nvidia_performance_per_watt: 0.025,
    nvidia_output_tps_per_watt: 1.25,
    nvidia_goodput_per_watt: 0,
    output_token_throughput_per_gpu: 25,
  });
  expect(records.map(({ platform, source }) => [platform, source])).toEqual([
    ['amd', 'counter'],
    ['nvidia', 'power'],
  ]);
});

test('omits metrics whose inputs are unknown', () => {
  const history = createHistory([[createGpu(0, 'amd'), AMD]]);
  const { blocks } = computeEnergyMetrics({ history, window: createWindow(10, 20), blocks: {} });
  expect(Object.keys(blocks)).toEqual([
    'amd_total_gpu_power',
    'amd_average_gpu_power',
    'amd_total_gpu_energy',
  ]);
});

test('has no metrics without GPUs', () => {
  const options = {
    history: createHistory([]),
    window: createWindow(10, 20),
    blocks: BLOCKS,
    concurrency: 4,
  };
  expect(computeEnergyMetrics(options)).toEqual({ blocks: {}, records: [] });
});
