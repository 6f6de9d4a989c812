import { describe, expect, test } from 'vitest';
import { computePlatformEnergy } from '../../src/statistics/energy.ts';
import { createGpu, createHistory, createWindow, type Samples } from '../support.ts';

/** Samples with a power of `watts(t)` each `step` seconds. */
function samplePower(watts: (seconds: number) => number, from: number, to: number, step: number): Samples {
  const count = Math.round((to - from) / step);
  return Array.from({ length: count + 1 }, (_, index) => {
    const seconds = from + index * step;
    return [seconds, { nvidia_power_usage: watts(seconds) }];
  });
}

describe('energy from a counter', () => {
  const CASES: readonly [name: string, samples: Samples, joules: number][] = [
    [
      'is the increase since the last sample before the window',
      [
        [0, { nvidia_energy_consumption: 1 }],
        [9, { nvidia_energy_consumption: 1.0005 }],
        [15, { nvidia_energy_consumption: 1.0015 }],
        [20, { nvidia_energy_consumption: 1.0025 }],
      ],
      2000,
    ],
    [
      'includes a closing sample shortly after the window, and no later one',
      [
        [9, { nvidia_energy_consumption: 1 }],
        [20.5, { nvidia_energy_consumption: 1.001 }],
        [21, { nvidia_energy_consumption: 2 }],
      ],
      1000,
    ],
    [
      'starts with the first sample in the window without a sample before it',
      [
        [12, { nvidia_energy_consumption: 1 }],
        [19, { nvidia_energy_consumption: 1.0004 }],
      ],
      400,
    ],
    [
      'continues after a reset',
      [
        [9, { nvidia_energy_consumption: 1 }],
        [12, { nvidia_energy_consumption: 1.0001 }],
        [15, { nvidia_energy_consumption: 0.0002 }],
        [19, { nvidia_energy_consumption: 0.0003 }],
      ],
      400,
    ],
  ];
  test.each(CASES)('%s', (_, samples, joules) => {
    const energy = computePlatformEnergy(
      createHistory([[createGpu(0), samples]]),
      'nvidia',
      createWindow(10, 20),
    );
    expect(energy?.source).toBe('counter');
    expect(energy?.joules).toBeCloseTo(joules, 6);
    expect(energy?.gapSeconds).toBe(0);
  });
});

describe('energy from the power', () => {
  test('integrates a constant power exactly', () => {
    const history = createHistory([[createGpu(0), samplePower(() => 200, 9, 21, 0.333)]]);
    const energy = computePlatformEnergy(history, 'nvidia', createWindow(10, 20));
    expect(energy).toMatchObject({ gpus: 1, source: 'power', gapSeconds: 0 });
    expect(energy?.joules).toBeCloseTo(2000, 6);
  });

  test('integrates a ramp exactly, whose mean of irregular samples differs', () => {
    const ramp = (seconds: number): number => 100 + 20 * seconds;
    const early = samplePower(ramp, 9, 12, 0.1);
    const late = samplePower(ramp, 12.5, 20, 0.5);
    const history = createHistory([[createGpu(0), [...early, ...late]]]);
    const energy = computePlatformEnergy(history, 'nvidia', createWindow(10, 20));
    expect(energy?.joules).toBeCloseTo(4000, 6);
    expect(Math.abs(energy!.watts! * 10 - 4000)).toBeGreaterThan(100);
  });

  test('measures gaps of more than three seconds', () => {
    const samples = [...samplePower(() => 100, 9, 12, 1), ...samplePower(() => 100, 16, 21, 1)];
    const energy = computePlatformEnergy(
      createHistory([[createGpu(0), samples]]),
      'nvidia',
      createWindow(10, 20),
    );
    expect(energy?.gapSeconds).toBeCloseTo(4, 9);
    expect(energy?.joules).toBeCloseTo(1000, 6);
  });

  test('is used for a GPU whose counter never changes', () => {
    const samples: Samples = [9, 12, 15, 18, 20].map(seconds => [
      seconds,
      { nvidia_power_usage: 50, nvidia_energy_consumption: 3 },
    ]);
    const energy = computePlatformEnergy(
      createHistory([[createGpu(0), samples]]),
      'nvidia',
      createWindow(10, 20),
    );
    expect(energy).toMatchObject({ source: 'power', joules: 500 });
  });
});

test('adds the energy and the mean power of several GPUs', () => {
  const counter: Samples = [
    [9, { nvidia_power_usage: 100, nvidia_energy_consumption: 1 }],
    [15, { nvidia_power_usage: 110, nvidia_energy_consumption: 1.0006 }],
    [20, { nvidia_power_usage: 130, nvidia_energy_consumption: 1.0012 }],
  ];
  const history = createHistory([
    [createGpu(0), counter],
    [createGpu(1), samplePower(() => 200, 9, 21, 1)],
    [createGpu(0, 'amd'), [[12, { amd_power: 500 }]]],
  ]);
  const energy = computePlatformEnergy(history, 'nvidia', createWindow(10, 20));
  expect(energy).toMatchObject({ gpus: 2, source: 'mixed', watts: 320 });
  expect(energy?.joules).toBeCloseTo(1200 + 2000, 6);
});

test('counts a GPU once that two sources describe', () => {
  const history = createHistory([[createGpu(0), samplePower(() => 100, 9, 21, 1)]]);
  for (const [seconds, values] of samplePower(() => 100, 9, 21, 1))
    history.add({
      gpu: createGpu(0),
      values,
      timestampNs: BigInt(seconds * 1e9),
      source: 'http://localhost:9401/metrics',
    });
  expect(computePlatformEnergy(history, 'nvidia', createWindow(10, 20))).toMatchObject({
    gpus: 1,
    joules: 1000,
  });
});

test('has no energy if the energy of one GPU is unknown', () => {
  const history = createHistory([
    [createGpu(0), samplePower(() => 100, 9, 21, 1)],
    [createGpu(1), [[15, { nvidia_temperature: 40 }]]],
  ]);
  const energy = computePlatformEnergy(history, 'nvidia', createWindow(10, 20));
  expect(energy).toMatchObject({ gpus: 2, watts: 100, joules: undefined, source: undefined });
});

test('is undefined for a platform without power and energy', () => {
  const history = createHistory([[createGpu(0), [[15, { nvidia_temperature: 40 }]]]]);
  expect(computePlatformEnergy(history, 'nvidia', createWindow(10, 20))).toBeUndefined();
  expect(computePlatformEnergy(history, 'amd', createWindow(10, 20))).toBeUndefined();
});
