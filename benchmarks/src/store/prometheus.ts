import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseClassic } from '@org/scrape/exposition';
import type { HalfCost } from './collecting.ts';
import { freePort } from './server.ts';
import { INTERVAL_MS } from './trace.ts';

/** Debian's package prometheus; another by SERVELENS_PROMETHEUS. */
export const PROMETHEUS: string = env.SERVELENS_PROMETHEUS ?? '/usr/bin/prometheus';

const CLOCK_TICKS_PER_S = 100;
const MB = 1e6;

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
  writeFileSync(config, configOf(0, 0));
  const peer = started(config, data, port);
  const url = `http://127.0.0.1:${port}`;
  try {
    await ready(url, peer);
    await sleep(1000);
    const before = usageOf(peer.pid!);
    writeFileSync(config, configOf(target.endpoints, target.port));
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

function configOf(endpoints: number, port: number): string {
  const jobs = Array.from({ length: endpoints }, (_, index) => ({
    job_name: `endpoint-${index}`,
    metrics_path: `/${index}/metrics`,
    static_configs: [{ targets: [`127.0.0.1:${port}`] }],
  }));
  const global = { scrape_interval: `${INTERVAL_MS}ms`, scrape_timeout: `${INTERVAL_MS}ms` };
  // JSON is YAML.
  return JSON.stringify({ global, scrape_configs: jobs });
}

function started(config: string, data: string, port: number): ChildProcess {
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${data}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-lifecycle',
    '--web.enable-admin-api',
    '--log.level=error',
  ];
  return spawn(PROMETHEUS, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function ready(url: string, peer: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (peer.exitCode !== null) throw new Error(`${PROMETHEUS} ended with status ${peer.exitCode}`);
    const answer = await fetch(`${url}/-/ready`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`${PROMETHEUS} did not get ready within 30 s`);
}

async function posted(url: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST' });
  if (!answer.ok)
    throw new Error(`Prometheus answered ${answer.status} to POST ${url}: ${await answer.text()}`);
}

function usageOf(pid: number): { rssMb: number; peakRssMb: number; cpuS: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]);
  // Behind the name, which may hold spaces: utime and stime are fields 14 and 15, state is field 3.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  const ticks = Number(stat[11]) + Number(stat[12]);
  return {
    rssMb: (kb('VmRSS') * 1024) / MB,
    peakRssMb: (kb('VmHWM') * 1024) / MB,
    cpuS: ticks / CLOCK_TICKS_PER_S,
  };
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
