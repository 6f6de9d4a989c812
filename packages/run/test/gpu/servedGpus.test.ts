import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PhaseGpuTelemetry } from '@org/formats';
import { fromPath, readPhaseGpuTelemetry } from '@org/formats/read';
import type { GpuTelemetryPlan } from '@org/gpu';
import { parseMetricsTarget } from '@org/scrape';
import { type CreateSimulatorOptions, createSimulator } from '@org/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { type CollectPlan, collect } from '../../src/index.ts';
import { recover } from '../../src/recover/recover.ts';
import { createCollectPlan } from '../plans.ts';

/** Starts a server with traffic of its own and two GPUs. */
async function startServer(
  options: CreateSimulatorOptions = {},
): Promise<{ readonly url: string; readonly gpuTelemetry: GpuTelemetryPlan }> {
  const simulator = createSimulator({ seed: 5, arrivalRate: 20, gpus: 2, ...options });
  onTestFinished(() => simulator.close());
  const { url, pages } = await simulator.listen();
  const none = { probes: [], commands: [], fallbacks: [], gpus: [] };
  return { url, gpuTelemetry: { ...none, exporters: [parseMetricsTarget(pages.gpus!)] } };
}

const readDocument = ({ folder }: CollectPlan): Promise<PhaseGpuTelemetry> =>
  readPhaseGpuTelemetry(fromPath(join(folder, 'phases', 'profiling', 'gpu_telemetry.json')));

/** Reads an energy metric. */
const read = ({ gpu_metrics: metrics }: PhaseGpuTelemetry, tag: string): number => metrics![tag]!.avg!;

test('collect records GPUs, and computes the energy per token from the counters of the server', async () => {
  const { url, gpuTelemetry } = await startServer();
  const plan = createCollectPlan(url, { gpuTelemetry, durationSeconds: 1, warmupSeconds: 0.5 });
  const result = await collect(plan);
  expect(result.isWritten).toBe(true);
  expect(result.files.map(({ ok }) => ok)).toEqual([true, true]);
  const document = await readDocument(plan);
  expect(document.gpu_energy).toEqual([{ platform: 'nvidia', gpu_count: 2, source: 'counter' }]);
  expect(document.token_source).toBe('server');
  expect(document.phase).toMatchObject({ phase_kind: 'profiling', phase_index: 1 });
  const { metrics } = result.exports.document;
  const count = (name: string): number => {
    const [series] = metrics[name]!.series as unknown as { stats: { total: number; increase?: number } }[];
    return series!.stats.increase ?? series!.stats.total;
  };
  const output = count('vllm:generation_tokens');
  const joules = read(document, 'nvidia_total_gpu_energy');
  expect(output).toBeGreaterThan(0);
  expect(read(document, 'nvidia_energy_per_output_token')).toBeCloseTo((joules * 1000) / output, 6);
  expect(read(document, 'nvidia_energy_per_total_token')).toBeCloseTo(
    (joules * 1000) / (output + count('vllm:prompt_tokens')),
    6,
  );
  // A latency is measured by clients, and the concurrency is unknown.
  expect(Object.keys(document.gpu_metrics!).filter(tag => /delay|user|goodput/.test(tag))).toEqual([]);
  expect(document.gpu_servers).toMatchObject([{ output_tokens: output, energy_joules: joules }]);
  expect(document.gpu_servers![0]!.gpus).toHaveLength(2);
});

test('collect without known servers records only the energy', async () => {
  const { gpuTelemetry } = await startServer();
  const [exporter] = gpuTelemetry.exporters;
  const plan = createCollectPlan(exporter!.url, { gpuTelemetry, durationSeconds: 0.5 });
  await collect(plan);
  const document = await readDocument(plan);
  expect(Object.keys(document.gpu_metrics!)).toEqual([
    'nvidia_total_gpu_power',
    'nvidia_average_gpu_power',
    'nvidia_total_gpu_energy',
  ]);
  expect(document.token_source).toBeUndefined();
  expect(document.gpu_notes).toEqual([
    'No server counts its output tokens, so the energy is not divided among servers.',
  ]);
});

test('recover writes the same energy of a collect run from its samples', async () => {
  const { url, gpuTelemetry } = await startServer();
  const map = [{ server: new URL(url).host, gpus: ['1'] }];
  const plan = createCollectPlan(url, {
    gpuTelemetry: { ...gpuTelemetry, map },
    durationSeconds: 0.6,
    storage: { keepJournal: true },
  });
  await collect(plan);
  const written = await readDocument(plan);
  expect(written.gpu_servers![0]!.gpus).toHaveLength(1);
  rmSync(join(plan.folder, 'phases'), { recursive: true });
  const recovered = await recover(join(plan.folder, 'server_metrics.journal'));
  expect(recovered.isWritten).toBe(true);
  expect(await readDocument(plan)).toEqual(written);
});

test('collect without GPUs writes no file about them', async () => {
  const { url } = await startServer();
  const none = { commands: [], fallbacks: [], gpus: [], exporters: [] };
  const probes = [parseMetricsTarget('http://127.0.0.1:1/metrics')];
  const plan = createCollectPlan(url, { gpuTelemetry: { ...none, probes }, durationSeconds: 0.3 });
  const result = await collect(plan);
  expect(result.gpus).toBeUndefined();
  expect(result.files).toEqual([]);
  expect(() => readFileSync(join(plan.folder, 'gpu_telemetry_export.jsonl'))).toThrow(/ENOENT/);
});
