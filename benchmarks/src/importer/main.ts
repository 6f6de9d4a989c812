/**
 * Time and memory of `servelens import`: 200 endpoints of 1,000 series, one hour at steps of 15 s, from a local Prometheus
 * by remote read. The samples (48 million) are written to Prometheus first, which takes minutes. The import runs in a
 * separate process and is timed from its start to its exit, with the default exports.
 *
 * Prints one JSON line per figure. Prometheus and its data are removed at the end.
 *
 * Usage: npm run bench -- importer [--endpoints 200] [--series 1000] [--minutes 60] [--formats json csv parquet]
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { runNode } from '../measure/measuredProcess.ts';
import { round } from '../measure/numbers.ts';
import { readProcessUsage } from '../measure/processUsage.ts';
import {
  formatPrometheusConfig,
  PROMETHEUS,
  PROMETHEUS_MISSING,
  startPrometheus,
} from '../peers/prometheus.ts';
import { EndpointSeries } from './endpointSeries.ts';
import { encodeWriteRequest } from './remoteWrite.ts';

const options = yargs(hideBin(argv))
  .option('endpoints', { type: 'number', default: 200, describe: 'Number of endpoints' })
  .option('series', { type: 'number', default: 1000, describe: 'Number of series of an endpoint' })
  .option('minutes', { type: 'number', default: 60, describe: 'Length of the time range' })
  .option('port', { type: 'number', default: 19_390, describe: 'Port of Prometheus' })
  .option('formats', {
    type: 'array',
    string: true,
    default: ['json', 'csv', 'parquet'],
    describe: 'Formats to export',
  })
  .option('cpu-profile', { type: 'string', describe: 'Folder for a CPU profile of the import' })
  .strict()
  .parseSync();

const STEP_MS = 15_000;
/** Scrapes per series in one request. Prometheus accepts samples of the last hour, so all endpoints advance together. */
const BATCH_SCRAPES = 40;
const CLI = fileURLToPath(new URL('../../../apps/cli/bin/servelens.js', import.meta.url));

if (existsSync(PROMETHEUS)) await run();
else console.error(PROMETHEUS_MISSING);

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-importer-'));
  const config = join(folder, 'prometheus.yml');
  writeFileSync(config, formatPrometheusConfig(0, 0, 1000));
  const flags = ['--web.enable-remote-write-receiver'];
  const prometheus = await startPrometheus(config, join(folder, 'data'), options.port, flags);
  try {
    const endMs = Math.floor(Date.now() / STEP_MS) * STEP_MS;
    const startMs = endMs - options.minutes * 60_000;
    const samples = await writeSamples(startMs, endMs);
    const before = readProcessUsage(prometheus.pid!).cpuS;
    const result = await importRange(folder, startMs, endMs);
    print('import', {
      endpoints: options.endpoints,
      series: options.endpoints * options.series,
      samples,
      formats: options.formats.join(','),
      seconds: round(result.seconds, 1),
      cpu_seconds: round(result.cpuSeconds, 1),
      ...(result.mainCpuSeconds === undefined
        ? {}
        : { main_thread_cpu_seconds: round(result.mainCpuSeconds, 1) }),
      peak_mb: round(result.peakMb),
      prometheus_cpu_seconds: round(readProcessUsage(prometheus.pid!).cpuS - before, 1),
    });
  } finally {
    prometheus.kill('SIGKILL');
    await new Promise(resolve => prometheus.once('close', resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeSamples(startMs: number, endMs: number): Promise<number> {
  const endpoints = Array.from(
    { length: options.endpoints },
    (_, at) => new EndpointSeries(at, options.series),
  );
  const count = (endMs - startMs) / STEP_MS + 1;
  for (let first = 0; first < count; first += BATCH_SCRAPES) {
    const size = Math.min(BATCH_SCRAPES, count - first);
    const timesMs = Array.from({ length: size }, (_, at) => startMs + (first + at) * STEP_MS);
    for (const endpoint of endpoints) await send(encodeWriteRequest(endpoint.generate(timesMs)));
  }
  return count * options.endpoints * (options.series + 1);
}

async function send(body: Buffer): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${options.port}/api/v1/write`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    },
    body: new Uint8Array(body),
  });
  if (!response.ok)
    throw new Error(`Prometheus rejected samples: ${response.status} ${await response.text()}`);
}

async function importRange(folder: string, startMs: number, endMs: number): ReturnType<typeof runNode> {
  const profile = options.cpuProfile;
  const result = await runNode([
    ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ...[CLI, 'import', `http://127.0.0.1:${options.port}`, '--match', '{job="vllm"}'],
    ...['--from', String(startMs / 1000), '--to', String(endMs / 1000)],
    ...['--artifact-dir', join(folder, 'run'), '--memory-limit', '256MiB'],
    ...['--server-metrics-formats', ...options.formats],
  ]);
  if (result.code !== 0) throw new Error(`servelens import exited with code ${result.code}`);
  return result;
}

function print(figure: string, fields: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify({ bench: 'importer', figure, ...fields }));
}
