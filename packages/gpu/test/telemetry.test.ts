import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock, DEFAULT_LIMITS, Fetcher, parseMetricsTarget } from '@org/scrape';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GpuSample } from '../src/sample.ts';
import { GpuTelemetry, type GpuTelemetryPlan } from '../src/telemetry.ts';

const DCGM_PAGE = [0, 1]
  .map(gpu => `DCGM_FI_DEV_POWER_USAGE{gpu="${gpu}",UUID="GPU-uuid-${gpu}",Hostname="node1"} ${100 + gpu}\n`)
  .join('');

const clock = createSystemClock();
let folder: string;
let servers: Server[];
let samples: GpuSample[];
let telemetry: GpuTelemetry | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'servelens-gpu-'));
  servers = [];
  samples = [];
});

afterEach(async () => {
  await telemetry?.close();
  telemetry = undefined;
  for (const server of servers) server.close().closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

/** Serves a page and returns its URL. */
async function serve(page: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/plain').end(page));
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
}

/** Returns a URL at which nothing listens. */
async function findClosedUrl(): Promise<string> {
  const url = await serve('');
  servers.pop()!.close();
  return url;
}

/** A plan with URLs instead of targets. */
interface TestPlan extends Partial<Pick<GpuTelemetryPlan, 'commands' | 'fallbacks' | 'gpus'>> {
  readonly exporters?: readonly string[];
  readonly probes?: readonly string[];
}

async function open(plan: TestPlan): Promise<GpuTelemetry> {
  telemetry = new GpuTelemetry(
    {
      commands: plan.commands ?? [],
      fallbacks: plan.fallbacks ?? [],
      gpus: plan.gpus ?? [],
      exporters: (plan.exporters ?? []).map(parseMetricsTarget),
      probes: (plan.probes ?? []).map(parseMetricsTarget),
    },
    {
      clock,
      intervalMs: 50,
      createFetcher: () => new Fetcher({ clock, limits: { ...DEFAULT_LIMITS, timeoutMs: 5000 } }),
      onSamples: added => samples.push(...added),
      path: folder,
    },
  );
  await telemetry.open();
  return telemetry;
}

function writeNvidiaSmi(): void {
  const command = join(folder, 'nvidia-smi');
  const loop = 'while :; do echo "0, GPU-local, 70"; /bin/sleep 0.1; done';
  writeFileSync(command, `#!/bin/sh\necho "index, uuid, power.draw [W]"\n${loop}\n`);
  chmodSync(command, 0o755);
}

test('reads a probed exporter, and says nothing about one that does not exist', async () => {
  const url = await serve(DCGM_PAGE);
  const opened = await open({ probes: [await findClosedUrl(), url], fallbacks: ['nvidia', 'amd'] });
  expect(opened.sources).toEqual([{ url, gpus: 2, failure: undefined, interruptions: 0 }]);
  opened.start();
  await vi.waitFor(() => expect(samples.length).toBeGreaterThan(6), { timeout: 60_000 });
  expect(opened.history.series.map(({ gpu }) => gpu.uuid)).toEqual(['GPU-uuid-0', 'GPU-uuid-1']);
});

test('ignores a probed page without GPUs', async () => {
  const opened = await open({ probes: [await serve('vllm:num_requests_running 3\n')] });
  expect(opened.sources).toEqual([]);
  expect(samples).toEqual([]);
});

test('keeps a named exporter that does not respond, with its failure', async () => {
  const url = await findClosedUrl();
  const opened = await open({ exporters: [url] });
  expect(opened.sources).toMatchObject([{ url, gpus: 0, failure: expect.stringContaining('refused') }]);
});

test('keeps a named exporter without GPUs, with its failure', async () => {
  const opened = await open({ exporters: [await serve('up 1\n')] });
  expect(opened.sources).toMatchObject([{ gpus: 0, failure: 'the page contains no metrics of GPUs' }]);
});

test('reads the local command only if no exporter responds', async () => {
  writeNvidiaSmi();
  const without = await open({ probes: [await findClosedUrl()], fallbacks: ['nvidia', 'amd'] });
  expect(without.sources).toMatchObject([{ url: 'pynvml://localhost', gpus: 1, failure: undefined }]);
  await without.close();
  const withExporter = await open({ probes: [await serve(DCGM_PAGE)], fallbacks: ['nvidia'] });
  expect(withExporter.sources.map(({ gpus }) => gpus)).toEqual([2]);
});

test('reports a named local command that does not exist', async () => {
  const opened = await open({ commands: ['amd'] });
  expect(opened.sources).toMatchObject([{ url: 'amdsmi://localhost', failure: 'no such file or folder' }]);
});

test('records only the selected GPUs', async () => {
  const opened = await open({ exporters: [await serve(DCGM_PAGE)], gpus: ['node1/1'] });
  expect(opened.history.series.map(({ gpu }) => gpu.index)).toEqual([1]);
  expect(samples.map(({ gpu }) => gpu.index)).toEqual([1]);
});
