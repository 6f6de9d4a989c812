import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { GpuTelemetryPlan } from '@org/gpu';
import { parseMetricsTarget } from '@org/scrape';
import { createSimulator, type GpuExporter } from '@org/simulator';
import { expect, onTestFinished, test } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import { runProfile } from '../../src/profile/profileRun.ts';
import { recover } from '../../src/recover/recover.ts';
import { createProfilePlan, startSimulator } from '../plans.ts';

const url = await startSimulator();

/** The power of GPU 0 and GPU 1, which are constant, so that the true energy is their product with the time. */
const WATTS = [300, 350];

/** Serves a page like dcgm-exporter's. Returns the plan for it. */
async function serveGpus(hasCounter: boolean): Promise<GpuTelemetryPlan> {
  const startMs = performance.now();
  const server = createServer((_, response) => {
    const seconds = (performance.now() - startMs) / 1000;
    const lines = WATTS.flatMap((watts, gpu) => {
      const labels = `{gpu="${gpu}",UUID="GPU-uuid-${gpu}",modelName="NVIDIA H100",Hostname="node1"}`;
      const millijoules = Math.round(1e9 + watts * seconds * 1000);
      return [
        `DCGM_FI_DEV_POWER_USAGE${labels} ${watts}`,
        ...(hasCounter ? [`DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION${labels} ${millijoules}`] : []),
      ];
    });
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(`${lines.join('\n')}\n`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    exporters: [parseMetricsTarget(`http://127.0.0.1:${port}`)],
    probes: [],
    commands: [],
    fallbacks: [],
    gpus: [],
  };
}

/** A sample in gpu_telemetry_export.jsonl; doubles are precise enough for times in seconds. */
interface Sample {
  readonly gpu_index: number;
  readonly timestamp_ns: number;
  readonly telemetry_data: Readonly<Record<string, number>>;
}

function readSamples(folder: string): Sample[] {
  const lines = readFileSync(join(folder, 'gpu_telemetry_export.jsonl'), 'utf8').trim().split('\n');
  return lines.map(line => JSON.parse(line));
}

/** AIPerf sorts the fields of this file. */
function expectSortedKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) expect(Object.keys(value)).toEqual(Object.keys(value).toSorted());
  for (const child of Object.values(value)) expectSortedKeys(child);
}

const avg = (block: unknown): number => (block as { avg: number }).avg;

test('measures the true energy with the counters of the GPUs', async () => {
  const events: RunEvent[] = [];
  const plan = createProfilePlan(url, {
    gpuTelemetry: await serveGpus(true),
    profiling: { concurrency: 2, requestCount: 10 },
    warmup: { concurrency: 1, requestCount: 2 },
  });
  const { document } = await runProfile(plan, { onEvent: event => events.push(event) });
  expect(events.find(({ type }) => type === 'gpu_sources_opened')).toMatchObject({
    sources: [{ gpus: 2, failure: undefined }],
  });
  expect(document.gpu_energy).toEqual([{ platform: 'nvidia', gpu_count: 2, source: 'counter' }]);
  expect(avg(document.nvidia_total_gpu_power)).toBe(650);

  // The counters are read shortly before the phase and shortly after it, so the energy covers the phase and these times.
  const samples = readSamples(plan.folder).filter(({ gpu_index }) => gpu_index === 0);
  const energies = samples.map(sample => sample.telemetry_data.nvidia_energy_consumption!);
  const gpu =
    document.telemetry_data!.endpoints[new URL(plan.gpuTelemetry!.exporters[0]!.url).host]!.gpus!.gpu_0!;
  const counted = gpu.metrics.nvidia_energy_consumption!.avg! * 1e6;
  const differences = energies.map(energy => (energies.at(-1)! - energy) * 1e6);
  expect(Math.min(...differences.map(joules => Math.abs(joules - counted)))).toBeLessThan(0.001);
  const joules = avg(document.nvidia_total_gpu_energy);
  expect(joules / 650).toBeCloseTo(counted / 300, 2);
  expect(joules / 650).toBeGreaterThan(avg(document.benchmark_duration) * 0.99);
  const tokens = avg(document.total_osl);
  expect(avg(document.nvidia_energy_per_output_token)).toBeCloseTo((joules * 1000) / tokens, 6);
  expect(avg(document.nvidia_energy_per_user)).toBeCloseTo(joules / 2, 9);

  const manifest = JSON.parse(readFileSync(join(plan.folder, 'phase_manifest.json'), 'utf8'));
  expect(manifest.phases.map((phase: Record<string, unknown>) => phase.gpu_telemetry_json)).toEqual([
    'phases/warmup/gpu_telemetry.json',
    'phases/profiling/gpu_telemetry.json',
  ]);
  const warmup = JSON.parse(readFileSync(join(plan.folder, 'phases/warmup/gpu_telemetry.json'), 'utf8'));
  expect(warmup.phase.phase_kind).toBe('warmup');
  expectSortedKeys(warmup);
  const [endpoint] = Object.values(warmup.data.endpoints) as { gpus: object }[];
  expect(Object.keys(endpoint!.gpus)).toEqual(['gpu_0', 'gpu_1']);
});

test('integrates the power of GPUs without counters to the true energy', async () => {
  const plan = createProfilePlan(url, { gpuTelemetry: await serveGpus(false), targets: [] });
  const { document } = await runProfile(plan, {});
  expect(document.gpu_energy).toEqual([{ platform: 'nvidia', gpu_count: 2, source: 'power' }]);
  const { summary } = document.telemetry_data!;
  // The time range includes 0.666 s for the closing sample.
  const seconds = (Date.parse(summary.end_time!) - Date.parse(summary.start_time!)) / 1000 - 0.666;
  expect(Math.abs(avg(document.nvidia_total_gpu_energy) - 650 * seconds)).toBeLessThan(650 * 0.003);
});

test('recovers the same energy from the journal and the samples of a killed run', async () => {
  const plan = createProfilePlan(url, {
    gpuTelemetry: await serveGpus(true),
    storage: { keepJournal: true },
  });
  const { document } = await runProfile(plan, {});
  const path = join(plan.folder, 'profile_export_aiperf.json');
  rmSync(path);
  const recovered = await recover(join(plan.folder, 'server_metrics.journal'));
  expect(recovered.profile?.document.telemetry_data).toEqual(document.telemetry_data);
  expect(recovered.profile?.document.nvidia_total_gpu_energy).toEqual(document.nvidia_total_gpu_energy);
  expect(existsSync(path)).toBe(true);
});

test('writes nothing about GPUs if no source was found', async () => {
  const none = { exporters: [], probes: [parseMetricsTarget('http://127.0.0.1:1/metrics')] };
  const plan = createProfilePlan(url, {
    targets: [],
    gpuTelemetry: { ...none, commands: [], fallbacks: [], gpus: [] },
  });
  const { document } = await runProfile(plan, {});
  expect(Object.keys(document).filter(key => /gpu|telemetry|nvidia|amd/.test(key))).toEqual([]);
  expect(existsSync(join(plan.folder, 'gpu_telemetry_export.jsonl'))).toBe(false);
});

test('exports a named source that does not respond, without figures', async () => {
  const exporters = [parseMetricsTarget('http://127.0.0.1:1/metrics')];
  const plan = createProfilePlan(url, {
    targets: [],
    gpuTelemetry: { exporters, probes: [], commands: [], fallbacks: [], gpus: [] },
  });
  const { document } = await runProfile(plan, {});
  expect(document.telemetry_data).toMatchObject({
    summary: { endpoints_configured: ['http://127.0.0.1:1/metrics'], endpoints_successful: [] },
    endpoints: {},
  });
  expect(document.gpu_energy).toBeUndefined();
});

test('removes the samples of an earlier run in the same folder', async () => {
  const plan = createProfilePlan(url, { gpuTelemetry: await serveGpus(true), targets: [] });
  await runProfile(plan, {});
  expect(existsSync(join(plan.folder, 'gpu_telemetry_export.jsonl'))).toBe(true);
  const { gpuTelemetry: _, ...without } = plan;
  await runProfile(without, {});
  expect(existsSync(join(plan.folder, 'gpu_telemetry_export.jsonl'))).toBe(false);
});

test.each<[exporter: GpuExporter, platform: 'nvidia' | 'amd']>([
  ['dcgm', 'nvidia'],
  ['dcgm-mig', 'nvidia'],
  ['amd', 'amd'],
])('measures the energy of a simulated server with %s', async (gpuExporter, platform) => {
  const simulator = createSimulator({ gpus: 2, gpuExporter });
  const { url: serverUrl, pages } = await simulator.listen();
  onTestFinished(() => simulator.close());
  const { simulation } = simulator;
  const readTruth = (): number => {
    simulator.scrape();
    return [0, 1].reduce((sum, index) => sum + simulation.gpus.getJoules(index, simulation.nowNs), 0);
  };
  const exporters = [parseMetricsTarget(pages.gpus!)];
  const plan = createProfilePlan(serverUrl, {
    gpuTelemetry: { exporters, probes: [], commands: [], fallbacks: [], gpus: [] },
  });
  const atPhases = new Map<string, number>();
  const before = readTruth();
  const { document } = await runProfile(plan, {
    onEvent: event => {
      if (event.type === 'phase_changed') atPhases.set(event.phase, readTruth());
    },
  });
  const after = readTruth();
  expect(document.gpu_energy).toEqual([{ platform, gpu_count: 2, source: 'counter' }]);
  const joules = avg(document[`${platform}_total_gpu_energy`]);
  // The samples enclose the profiling phase, and are part of the run.
  const duringProfiling = atPhases.get('after profiling')! - atPhases.get('profiling')!;
  expect(duringProfiling).toBeGreaterThan(0);
  expect(joules).toBeGreaterThan(duringProfiling - 0.01);
  expect(joules).toBeLessThan(after - before + 0.01);
});
