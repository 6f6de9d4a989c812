import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRun, readGpuValues } from '../../src/index.ts';
import {
  createDocument,
  createGauge,
  createMetric,
  createTempFolder,
  healthyInfo,
  SECOND_NS,
  toJson,
  URL_A,
} from '../documents.ts';

const { path: root, remove } = createTempFolder('gpus');
afterAll(remove);

const DOCUMENT = createDocument(
  { 'vllm:num_requests_running': createMetric('gauge', [createGauge(1)]) },
  {
    [URL_A]: healthyInfo,
  },
);
const { profiling_start_ns: from, profiling_end_ns: to } = DOCUMENT.summary as never as {
  profiling_start_ns: bigint;
  profiling_end_ns: bigint;
};

/** Returns a line of gpu_telemetry_export.jsonl. */
function formatSample(timeNs: bigint, gpu: number, data: Readonly<Record<string, number | null>>): string {
  return toJson({
    gpu_index: gpu,
    gpu_uuid: `GPU-${gpu}`,
    gpu_model_name: 'NVIDIA H100',
    hostname: 'node1',
    platform: 'nvidia',
    timestamp_ns: timeNs,
    telemetry_source_url: 'http://node1:9400/metrics',
    telemetry_data: data,
  });
}

let folders = 0;
function createRunFolder(lines: readonly string[]): string {
  const folder = join(root, `run${folders++}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'server_metrics_export.json'), toJson(DOCUMENT));
  writeFileSync(join(folder, 'gpu_telemetry_export.jsonl'), lines.map(line => `${line}\n`).join(''));
  return folder;
}

test('an opened run contains the values of each GPU in the profiling phase', async () => {
  expect(to).toBeGreaterThan(from + SECOND_NS);
  const folder = createRunFolder([
    formatSample(from - SECOND_NS, 0, { nvidia_power_usage: 100 }),
    formatSample(from, 0, { nvidia_power_usage: 200, nvidia_xid_errors: 0 }),
    formatSample(from, 1, { nvidia_temperature: 40 }),
    formatSample(from + SECOND_NS, 0, { nvidia_power_usage: null, nvidia_xid_errors: 79 }),
    formatSample(to + 1n, 0, { nvidia_power_usage: 400 }),
    '{"gpu_index":0,"gpu_uu',
  ]);
  const run = await openRun(folder);
  expect(run.gpus.map(({ index, uuid, model, hostname }) => [index, uuid, model, hostname])).toEqual([
    [0, 'GPU-0', 'NVIDIA H100', 'node1'],
    [1, 'GPU-1', 'NVIDIA H100', 'node1'],
  ]);
  const [first, second] = run.gpus;
  expect(readGpuValues(run, first!, 'nvidia_power_usage')).toEqual([{ timeNs: from, value: 200 }]);
  expect(readGpuValues(run, first!, 'nvidia_xid_errors')).toEqual([
    { timeNs: from, value: 0 },
    { timeNs: from + SECOND_NS, value: 79 },
  ]);
  expect(readGpuValues(run, second!, 'nvidia_power_usage')).toEqual([]);
  expect(readGpuValues({ times: {} }, first!, 'nvidia_power_usage')).toHaveLength(3);
});

test('a run without samples of GPUs has no GPUs', async () => {
  expect((await openRun(createRunFolder([]))).gpus).toEqual([]);
  expect((await openRun(createRunFolder(['not JSON']))).gpus).toEqual([]);
});
