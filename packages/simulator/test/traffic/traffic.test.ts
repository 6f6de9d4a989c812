import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { createConstantLoad, createNamedLoad, type Load } from '../../src/traffic/load.ts';
import { Traffic } from '../../src/traffic/traffic.ts';
import { DEFAULT_WORKLOAD } from '../../src/traffic/workload.ts';

function drawArrivalTimes(load: Load, untilS: number): number[] {
  const traffic = new Traffic(load, DEFAULT_WORKLOAD, 8192, new Random(4));
  const times: number[] = [];
  while (traffic.nextNs < untilS * 1e9) {
    times.push(traffic.nextNs / 1e9);
    traffic.take();
  }
  return times;
}

test('arrivals are a Poisson process with the rate of the load', () => {
  const times = drawArrivalTimes(createConstantLoad(20), 500);
  expect(times.length / 500).toBeCloseTo(20, 0);
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  // The coefficient of variation of exponential gaps is 1.
  expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1);
});

test('arrivals follow a changing rate', () => {
  const times = drawArrivalTimes(createNamedLoad('ramp', 200, 50), 1000);
  const countBetween = (from: number, to: number): number =>
    times.filter(time => time >= from && time < to).length;
  expect(times.at(-1)!).toBeLessThan(200);
  // The rate rises from 2.5/s to 60/s in 200 s. Its mean is 5.4/s in the first tenth and 57/s in the last tenth.
  expect(countBetween(0, 20) / 20).toBeCloseTo(5.4, -1);
  expect(countBetween(180, 200) / 20).toBeGreaterThan(50);
  expect(times.length / 200).toBeGreaterThan(29);
  expect(times.length / 200).toBeLessThan(34);
});

test('a rate of 0 produces no arrivals', () => {
  expect(new Traffic(createConstantLoad(0), DEFAULT_WORKLOAD, 8192, new Random(1)).nextNs).toBe(
    Number.POSITIVE_INFINITY,
  );
});
