import { createRun } from '@org/analysis';
import { expect, test } from 'vitest';
import { createDocument, SECOND_NS, START_NS } from '../../../../../packages/analysis/test/documents.ts';
import { buildGpuCharts } from '../../../src/report/model/gpuCharts.ts';
import { RunTraces } from '../../../src/report/timeline/runTraces.ts';

const AXIS = { bins: 10, width: 1 };
const TRACES = new RunTraces('all scrapes', START_NS, AXIS, AXIS);

/** Creates a run with GPUs that were sampled at 0.5 s and 2.5 s. */
function createGpuRun(powers: readonly (readonly number[])[]): Parameters<typeof buildGpuCharts>[0] {
  const timesNs = [START_NS + SECOND_NS / 2n, START_NS + (5n * SECOND_NS) / 2n];
  const gpus = powers.map((power, index) => ({
    index,
    uuid: `GPU-${index}`,
    model: 'H100',
    source: 'pynvml://localhost',
    timesNs,
    values: new Map([['nvidia_power_usage', power]]),
  }));
  return createRun({ name: 'run', layout: 'json', files: {}, view: createDocument({}), gpus });
}

test('adds the power of all GPUs, and keeps a sample until the next one', () => {
  const [power, ...others] = buildGpuCharts(
    createGpuRun([
      [300, 400],
      [100, 200],
    ]),
    TRACES,
  );
  expect(others).toEqual([]);
  expect(power).toMatchObject({ title: 'Power of all GPUs, W', metrics: ['nvidia_power_usage'] });
  expect(power!.layers[0]).toMatchObject({
    name: '2 GPUs',
    values: [400, 400, 600, 600, 600, 600, 600, 600, null, null],
  });
});

test('has no chart without GPUs, or without samples in the run', () => {
  expect(buildGpuCharts(createGpuRun([]), TRACES)).toEqual([]);
  expect(buildGpuCharts(createGpuRun([[Number.NaN, Number.NaN]]), TRACES)).toEqual([]);
});
