import { computeEnergyMetrics, type EnergyMetrics, GpuHistory } from '@org/gpu';
import { createSimulator } from '@org/simulator';
import { expect, test } from 'vitest';

const INTERVAL_S = 0.333;
const START_S = 10;
const END_S = 70;
/** The most energy that a GPU of the simulator uses in an interval, in joules. */
const MAX_INTERVAL_JOULES = 350 * INTERVAL_S;
/** The closing sample may be up to 0.666 s after the end. */
const MAX_EXCESS_JOULES = 3 * MAX_INTERVAL_JOULES;

/** A sample of a simulated GPU: its time, its power in W, and its energy counter in J. */
interface Sample {
  readonly seconds: number;
  readonly watts: number;
  readonly joules: number;
}

/** Simulates a GPU under a changing load. Returns its samples, and its true energy between START_S and END_S. */
function simulateGpu(): { readonly samples: readonly Sample[]; readonly truth: number } {
  const simulator = createSimulator({ gpus: 1, arrivalRate: 3, seed: 11 });
  const read = (body: string, name: string): number =>
    Number(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'm').exec(body)![1]);
  const samples: Sample[] = [];
  const trueJoules: number[] = [];
  for (let seconds = 0; seconds < END_S + 2; seconds += INTERVAL_S) {
    const body = simulator.scrape('gpus');
    const joules = read(body, 'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION') / 1000;
    samples.push({ seconds, watts: read(body, 'DCGM_FI_DEV_POWER_USAGE'), joules });
    trueJoules.push(simulator.getTruth().gpuJoules[0]!);
    simulator.advance(INTERVAL_S);
  }
  const interpolate = (at: number): number => {
    const index = samples.findIndex(({ seconds }) => seconds > at);
    const share = (at - samples[index - 1]!.seconds) / INTERVAL_S;
    return trueJoules[index - 1]! + share * (trueJoules[index]! - trueJoules[index - 1]!);
  };
  return { samples, truth: interpolate(END_S) - interpolate(START_S) };
}

const { samples, truth } = simulateGpu();

/** Computes the energy from samples with or without the counter. */
function compute(used: readonly Sample[], hasCounter: boolean): EnergyMetrics {
  const history = new GpuHistory(0n);
  for (const { seconds, watts, joules } of used)
    history.add({
      gpu: { index: 0, uuid: 'GPU-a', model: 'Test', platform: 'nvidia' },
      source: 'http://node1:9400/metrics',
      timestampNs: BigInt(Math.round(seconds * 1e9)),
      values: {
        nvidia_power_usage: watts,
        ...(hasCounter ? { nvidia_energy_consumption: joules / 1e6 } : {}),
      },
    });
  return computeEnergyMetrics({
    history,
    window: { startNs: START_S * 1e9, endNs: END_S * 1e9 },
    blocks: {},
  });
}

const readJoules = ({ blocks }: EnergyMetrics): number => blocks.nvidia_total_gpu_energy!.avg!;

test('the load of the simulated GPU changes', () => {
  const watts = samples.map(sample => sample.watts);
  expect(Math.max(...watts) - Math.min(...watts)).toBeGreaterThan(100);
  expect(truth).toBeGreaterThan(75 * (END_S - START_S));
});

test('the counter measures the true energy, plus the time to the samples around the phase', () => {
  const energy = compute(samples, true);
  expect(energy.records[0]).toMatchObject({ source: 'counter', gapSeconds: 0 });
  expect(readJoules(energy)).toBeGreaterThan(truth);
  expect(readJoules(energy)).toBeLessThan(truth + MAX_EXCESS_JOULES);
});

test('the integrated power and the counter agree within the energy of two intervals', () => {
  const energy = compute(samples, false);
  expect(energy.records[0]).toMatchObject({ source: 'power', gapSeconds: 0 });
  expect(Math.abs(readJoules(energy) - truth)).toBeLessThan(2 * MAX_INTERVAL_JOULES);
});

test('a reset of the counter costs at most the energy of one interval', () => {
  const at = samples.findIndex(({ seconds }) => seconds > 40);
  const offset = samples[at - 1]!.joules;
  // The driver is reloaded shortly after a sample; the counter restarts at 0.
  const reset = samples.map((sample, index) =>
    index < at ? sample : { ...sample, joules: sample.joules - offset },
  );
  const difference = readJoules(compute(samples, true)) - readJoules(compute(reset, true));
  expect(Math.abs(difference)).toBeLessThan(MAX_INTERVAL_JOULES);
});

test('samples that are missing for more than 3 s are marked as a gap only if the power is integrated', () => {
  const gappy = samples.filter(({ seconds }) => seconds < 30 || seconds > 36);
  expect(compute(gappy, false).records[0]!.gapSeconds).toBeGreaterThan(6);
  expect(compute(gappy, false).records[0]!.gapSeconds).toBeLessThan(6 + 2 * INTERVAL_S);
  expect(compute(gappy, true).records[0]!.gapSeconds).toBe(0);
  expect(Math.abs(readJoules(compute(gappy, true)) - readJoules(compute(samples, true)))).toBeLessThan(1e-6);
});
