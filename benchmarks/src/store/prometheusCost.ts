import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseClassic } from '@org/scrape/exposition';
import { findFreePort } from '../bodies/bodyServer.ts';
import { INTERVAL_MS } from '../bodies/vllmBodies.ts';
import { readProcessUsage } from '../measure/processUsage.ts';
import { formatPrometheusConfig, PROMETHEUS, sendPost, startPrometheus } from '../peers/prometheus.ts';
import type { SecondHalfCost } from './collectingCost.ts';

/** The resources used by Prometheus. Memory figures cover the process, without the file cache. */
export interface PrometheusCost {
  readonly version: string;
  /** Number of appended samples, as reported by Prometheus' own metrics. */
  readonly samples: number;
  readonly baseRssMb: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
  readonly secondHalf: SecondHalfCost;
  /** Size of the chunks of a snapshot on disk, in bytes. */
  readonly chunkBytes: number;
  /** Size of the whole snapshot including its index, in bytes. */
  readonly blockBytes: number;
}

/**
 * Measures Prometheus while it scrapes the endpoints of a body server for `target.seconds`. Returns null if
 * Prometheus is not installed. Throws if Prometheus does not start or appends no samples.
 */
export async function measurePrometheus(
  folder: string,
  target: { readonly port: number; readonly endpoints: number; readonly seconds: number },
): Promise<PrometheusCost | null> {
  if (!existsSync(PROMETHEUS)) return null;
  const port = await findFreePort();
  const config = join(folder, 'prometheus.yml');
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  writeFileSync(config, formatPrometheusConfig(0, 0, INTERVAL_MS));
  const prometheus = await startPrometheus(config, data, port);
  const url = `http://127.0.0.1:${port}`;
  try {
    await sleep(1000);
    const before = readProcessUsage(prometheus.pid!);
    writeFileSync(config, formatPrometheusConfig(target.endpoints, target.port, INTERVAL_MS));
    await sendPost(`${url}/-/reload`);
    await sleep(target.seconds * 500);
    const middle = { ...(await readOwnMetrics(url)), ...readProcessUsage(prometheus.pid!) };
    await sleep(target.seconds * 500);
    const after = readProcessUsage(prometheus.pid!);
    const metrics = await readOwnMetrics(url);
    await sendPost(`${url}/api/v1/admin/tsdb/snapshot`);
    const files = listFiles(join(data, 'snapshots'));
    return {
      version: metrics.version,
      samples: metrics.samples,
      baseRssMb: before.rssMb,
      rssMb: after.rssMb,
      peakRssMb: after.peakRssMb,
      secondHalf: { samples: metrics.samples - middle.samples, cpuS: after.cpuS - middle.cpuS },
      chunkBytes: sumSizes(files.filter(file => file.includes('/chunks/'))),
      blockBytes: sumSizes(files),
    };
  } finally {
    prometheus.kill('SIGTERM');
  }
}

async function readOwnMetrics(url: string): Promise<{ version: string; samples: number }> {
  const body = Buffer.from(await (await fetch(`${url}/metrics`)).arrayBuffer());
  const allSamples = parseClassic(body).families.flatMap(family => family.samples);
  const appended = allSamples.filter(({ name }) => name === 'prometheus_tsdb_head_samples_appended_total');
  const samples = appended.reduce((sum, { value }) => sum + value, 0);
  if (samples === 0) throw new Error('Prometheus has scraped nothing');
  const build = allSamples.find(({ name }) => name === 'prometheus_build_info');
  return { version: new Map(build?.labels).get('version') ?? 'unknown', samples };
}

function listFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name));
  return names.filter(name => statSync(name).isFile());
}

function sumSizes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}
