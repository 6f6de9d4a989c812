import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseClassic } from '@org/scrape/exposition';
import { PROMETHEUS, posted, prometheusConfig, startPrometheus } from '../process/prometheus.ts';
import { usageOf } from '../process/usage.ts';
import type { HalfCost } from './collecting.ts';
import { freePort } from './server.ts';
import { INTERVAL_MS } from './trace.ts';

/** What Prometheus needed; memory of the process, not of the kernel's file cache. */
export interface PrometheusCost {
  readonly version: string;
  /** Samples that it says it has appended. */
  readonly samples: number;
  readonly baseRssMb: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
  readonly late: HalfCost;
  /** The chunks of a snapshot block on disk; and the whole block, with its index. */
  readonly chunkBytes: number;
  readonly blockBytes: number;
}

/**
 * Has Prometheus scrape the endpoints of a body server for a while. Null when it is not installed.
 * Throws when it does not get ready, or scrapes nothing.
 */
export async function prometheusCost(
  folder: string,
  target: { readonly port: number; readonly endpoints: number; readonly seconds: number },
): Promise<PrometheusCost | null> {
  if (!existsSync(PROMETHEUS)) return null;
  const port = await freePort();
  const config = join(folder, 'prometheus.yml');
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  writeFileSync(config, prometheusConfig(0, 0, INTERVAL_MS));
  const peer = await startPrometheus(config, data, port);
  const url = `http://127.0.0.1:${port}`;
  try {
    await sleep(1000);
    const before = usageOf(peer.pid!);
    writeFileSync(config, prometheusConfig(target.endpoints, target.port, INTERVAL_MS));
    await posted(`${url}/-/reload`);
    await sleep(target.seconds * 500);
    const middle = { ...(await ownMetrics(url)), ...usageOf(peer.pid!) };
    await sleep(target.seconds * 500);
    const after = usageOf(peer.pid!);
    const own = await ownMetrics(url);
    await posted(`${url}/api/v1/admin/tsdb/snapshot`);
    const files = filesOf(join(data, 'snapshots'));
    return {
      version: own.version,
      samples: own.samples,
      baseRssMb: before.rssMb,
      rssMb: after.rssMb,
      peakRssMb: after.peakRssMb,
      late: { samples: own.samples - middle.samples, cpuS: after.cpuS - middle.cpuS },
      chunkBytes: sizeOf(files.filter(file => file.includes('/chunks/'))),
      blockBytes: sizeOf(files),
    };
  } finally {
    peer.kill('SIGTERM');
  }
}

async function ownMetrics(url: string): Promise<{ version: string; samples: number }> {
  const body = Buffer.from(await (await fetch(`${url}/metrics`)).arrayBuffer());
  const all = parseClassic(body).families.flatMap(family => family.samples);
  const appended = all.filter(({ name }) => name === 'prometheus_tsdb_head_samples_appended_total');
  const samples = appended.reduce((sum, { value }) => sum + value, 0);
  if (samples === 0) throw new Error('Prometheus has scraped nothing');
  const build = all.find(({ name }) => name === 'prometheus_build_info');
  return { version: new Map(build?.labels).get('version') ?? 'unknown', samples };
}

function filesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name));
  return names.filter(name => statSync(name).isFile());
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}
