import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env, execPath } from 'node:process';
import { NO_PROMETHEUS, PROMETHEUS, prometheusConfig, startPrometheus } from '../process/prometheus.ts';
import { usageOf } from '../process/usage.ts';
import { freePort } from '../store/server.ts';
import type { Servers } from './servers.ts';
import { secondsOf, type WindowCost, windowCost } from './window.ts';

/** What is scraped, how often, and for how long it is looked at. */
export interface Load {
  readonly endpoints: number;
  readonly intervalMs: number;
  readonly seconds: number;
}

/** Our command as a user starts it. */
const CLI = resolve(import.meta.dirname, '../../../apps/cli/bin/servelens.js');

/** For finding the endpoints and their first scrapes, before the looking on begins. */
export const SPARE_S: number = 20;
const PEAK_POLL_MS = 200;

/** What our run said of itself. */
export interface OwnCost extends WindowCost {
  /** The most memory that the process held until its exports were written. */
  readonly peakRssWithExportsMb: number;
  readonly failedScrapes: number;
  readonly lateScrapes: number;
}

/** Has `servelens collect` scrape the endpoints, with its journal and all exports. Throws when it fails. */
export async function servelensCost(servers: Servers, load: Load, folder: string): Promise<OwnCost> {
  const artifacts = join(folder, 'servelens');
  await servers.rewind();
  const urls = Array.from({ length: load.endpoints }, (_, endpoint) => servers.url(endpoint));
  const duration = secondsOf(load.seconds) + SPARE_S;
  const args = ['collect', '--quiet', '--duration', `${duration}`, '--artifact-dir', artifacts];
  const child = spawn(execPath, [CLI, ...args, '--server-metrics', ...urls], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...env,
      AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: `${load.intervalMs / 1000}`,
      AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0',
    },
  });
  const ended = once(child, 'close');
  try {
    const window = await windowCost(child.pid!, servers, load);
    child.kill('SIGINT'); // the run ends here, and its exports are written
    const peakRssWithExportsMb = await peakUntil(child, ended);
    return { ...window, peakRssWithExportsMb, ...ownCounts(artifacts) };
  } finally {
    child.kill('SIGKILL');
  }
}

/** The most memory that a process held until its end. */
async function peakUntil(child: ChildProcess, ended: Promise<unknown>): Promise<number> {
  let peak = 0;
  const poll = setInterval(() => {
    try {
      peak = Math.max(peak, usageOf(child.pid!).peakRssMb);
    } catch {
      // It has just ended.
    }
  }, PEAK_POLL_MS);
  await ended;
  clearInterval(poll);
  return peak;
}

function ownCounts(artifacts: string): { failedScrapes: number; lateScrapes: number } {
  const file = join(artifacts, 'server_metrics_export.json');
  const { summary } = JSON.parse(readFileSync(file, 'utf8')) as {
    summary: { endpoint_info: Record<string, { scrapes_failed?: number; scrapes_late?: number }> };
  };
  const all = Object.values(summary.endpoint_info);
  const sum = (count: (info: (typeof all)[number]) => number | undefined) =>
    all.reduce((total, info) => total + (count(info) ?? 0), 0);
  return { failedScrapes: sum(info => info.scrapes_failed), lateScrapes: sum(info => info.scrapes_late) };
}

/** Has Debian's Prometheus scrape them. Null, with a word on stderr, when it is not installed. */
export async function prometheusCost(
  servers: Servers,
  load: Load,
  folder: string,
): Promise<WindowCost | null> {
  if (!existsSync(PROMETHEUS)) {
    console.error(`without Prometheus: ${NO_PROMETHEUS}`);
    return null;
  }
  const data = join(folder, 'prometheus');
  mkdirSync(data, { recursive: true });
  const config = join(data, 'prometheus.yml');
  writeFileSync(config, prometheusConfig(load.endpoints, servers.port, load.intervalMs));
  await servers.rewind();
  const peer = await startPrometheus(config, data, await freePort());
  try {
    return await windowCost(peer.pid!, servers, load);
  } finally {
    const ended = once(peer, 'close');
    peer.kill('SIGTERM');
    await ended;
  }
}
