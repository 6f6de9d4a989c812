import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { describeGpuMetricFiles } from '../../src/options/gpuMetricFiles.ts';
import { readProfile, splitWords } from '../support/options.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const FIELDS = ['DEV_MEM_CLOCK', 'DEV_FB_FREE', 'PROF_DRAM_ACTIVE', 'DEV_RETIRED_DBE'];

/** Writes a file in the format of dcgm-exporter with a known field and `count` other ones. Returns its folder. */
function writeMetrics(count: number): string {
  const folder = makeTestFolder();
  const others = FIELDS.slice(0, count).map(name => `DCGM_FI_${name}, gauge, Text (in MHz)`);
  const lines = ['# Comment', '', 'DCGM_FI_DEV_SM_CLOCK, gauge, Clock (in MHz)', 'bad line', ...others];
  writeFileSync(join(folder, 'gpu.csv'), lines.join('\n'));
  return folder;
}

test.each([
  ['gpu.csv', ['http://localhost:9400/metrics', 'http://localhost:9401/metrics'], []],
  ['gpu.csv node1:9400', [], ['http://node1:9400/metrics']],
])('--gpu-telemetry %s keeps the other sources', (value, probes, exporters) => {
  const words = ['-m', 'm', '--gpu-telemetry', ...splitWords(value)];
  const plan = readProfile(words, writeMetrics(1)).plan.gpuTelemetry!;
  expect(plan.probes.map(({ url }) => url)).toEqual(probes);
  expect(plan.exporters.map(({ url }) => url)).toEqual(exporters);
});

test.each([
  [0, []],
  [1, ['--gpu-telemetry gpu.csv: DCGM_FI_DEV_MEM_CLOCK will not be recorded;']],
  [
    4,
    [
      '--gpu-telemetry gpu.csv: DCGM_FI_DEV_MEM_CLOCK, DCGM_FI_DEV_FB_FREE, DCGM_FI_PROF_DRAM_ACTIVE and 1 more metric will not be recorded;',
    ],
  ],
])('names the metrics of a file with %i other metrics', (count, notes) => {
  const described = describeGpuMetricFiles({ 'gpu-telemetry': ['auto', 'gpu.csv'] }, writeMetrics(count));
  expect(described).toEqual(notes.map(note => expect.stringContaining(note)));
});

test('a file must exist', () => {
  const read = () => readProfile(['-m', 'm', '--gpu-telemetry', 'gpu.csv'], makeTestFolder());
  expect(read).toThrow(UsageError);
  expect(read).toThrow('cannot read --gpu-telemetry "gpu.csv": no such file or folder');
});
