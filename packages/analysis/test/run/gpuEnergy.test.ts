import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRun, readStat } from '../../src/index.ts';
import { createDocument, createGauge, createMetric, createTempFolder, toJson } from '../documents.ts';

const { path: root, remove } = createTempFolder('gpu-energy');
afterAll(remove);

const SERVER = toJson(
  createDocument({ 'vllm:num_requests_running': createMetric('gauge', [createGauge(1)]) }),
);
const PHASE = {
  data: {
    summary: {
      endpoints_configured: [],
      endpoints_successful: [],
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2026-01-01T00:00:10Z',
    },
    endpoints: {},
    error_summary: [],
  },
  phase: {
    phase_index: 0,
    profiling_index: 0,
    phase_name: 'profiling',
    phase_kind: 'profiling',
    start_ns: 1,
    end_ns: 2,
    was_cancelled: false,
  },
  schema_version: 1,
  warnings: [],
};

let folders = 0;
function createRunFolder(phase: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, `run${folders++}`);
  mkdirSync(join(folder, 'phases', 'profiling'), { recursive: true });
  writeFileSync(join(folder, 'server_metrics_export.json'), SERVER);
  writeFileSync(join(folder, 'phases', 'profiling', 'gpu_telemetry.json'), phase);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const METRICS = { nvidia_energy_per_output_token: { unit: 'mJ/token', avg: 450 } };

test('the energy of a run without a load generator is opened with a note on its counts', async () => {
  const run = await openRun(
    createRunFolder(toJson({ ...PHASE, gpu_metrics: METRICS, token_source: 'server' })),
  );
  const [series] = run.families.get('nvidia_energy_per_output_token')!.series;
  expect(readStat(series!, 'avg')).toBe(450);
  expect(run.notes).toEqual(['the energy per token and per request is based on the counts of the servers']);
});

test('the energy without counts of servers needs no note', async () => {
  const metrics = { nvidia_total_gpu_energy: { unit: 'J', avg: 7 } };
  const run = await openRun(createRunFolder(toJson({ ...PHASE, gpu_metrics: metrics })));
  expect(run.families.has('nvidia_total_gpu_energy')).toBe(true);
  expect(run.notes).toEqual([]);
});

test('a damaged file costs only the energy', async () => {
  const run = await openRun(createRunFolder('{"data":'));
  expect([...run.families.keys()]).toEqual(['vllm:num_requests_running']);
  expect(run.notes).toHaveLength(1);
  expect(run.notes[0]).toMatch(/^the energy of GPUs is missing: cannot read .*gpu_telemetry\.json/);
});

test('a phase without energy adds nothing', async () => {
  const run = await openRun(createRunFolder(toJson(PHASE)));
  expect([...run.families.keys()]).toEqual(['vllm:num_requests_running']);
  expect(run.notes).toEqual([]);
});

test('the energy of several servers of a run without a load generator is opened by server', async () => {
  const servers = ['a', 'b'].map((host, index) => ({
    endpoint_url: `http://${host}:8000/metrics`,
    gpus: [`GPU-${index}`],
    energy_joules: 100 + index,
  }));
  const text = toJson({ ...PHASE, gpu_metrics: METRICS, gpu_servers: servers });
  const run = await openRun(createRunFolder(text));
  expect(run.families.get('server_gpu_energy')!.series.map(({ stats }) => stats.avg)).toEqual([100, 101]);
});
