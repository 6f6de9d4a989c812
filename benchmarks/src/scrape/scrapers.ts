import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env, execPath } from 'node:process';
import { NO_PROMETHEUS, PROMETHEUS, prometheusConfig, startPrometheus } from '../process/prometheus.ts';
import { usageOf } from '../process/usage.ts';
import { freePort } from '../store/server.ts';
import type { Endpoints } from './bodyserver.ts';
import type { Servers } from './servers.ts';
import { type Scraper, secondsOf } from './window.ts';

/** What is scraped, how often, and for how long it is looked at. */
export interface Load extends Endpoints {
  readonly intervalMs: number;
  readonly seconds: number;
}

/** Our command as a user starts it. */
const CLI = resolve(import.meta.dirname, '../../../apps/cli/bin/servelens.js');

/** For finding the endpoints and their first scrapes, before the looking on begins. */
export const SPARE_S: number = 20;
const PEAK_POLL_MS = 200;

/** What our run said of itself. */
export interface OwnEnd {
  /** The most memory that the process held until its exports were written. */
  readonly peakRssWithExportsMb: number;
  readonly failedScrapes: number;
  readonly lateScrapes: number;
}

/** `servelens collect` as it scrapes endpoints, with its journal and all exports. */
export class Servelens implements Scraper {
  readonly of: Endpoints;
  readonly intervalMs: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #artifacts: string;

  constructor(servers: Servers, load: Load, folder: string) {
    this.of = load;
    this.intervalMs = load.intervalMs;
    this.#artifacts = join(folder, `servelens-${load.intervalMs}`);
    const urls = Array.from({ length: load.endpoints }, (_, index) => servers.url(load.first + index));
    const duration = secondsOf(load.seconds) + SPARE_S;
    const args = ['collect', '--quiet', '--duration', `${duration}`, '--artifact-dir', this.#artifacts];
    this.#child = spawn(execPath, [CLI, ...args, '--server-metrics', ...urls], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...env,
        AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: `${load.intervalMs / 1000}`,
        AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0',
      },
    });
    this.#ended = once(this.#child, 'close');
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Ends the run, and waits until its exports are written. */
  async finish(): Promise<OwnEnd> {
    this.#child.kill('SIGINT');
    const peakRssWithExportsMb = await peakUntil(this.#child, this.#ended);
    return { peakRssWithExportsMb, ...ownCounts(this.#artifacts) };
  }

  stop(): void {
    this.#child.kill('SIGKILL');
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

/** Debian's Prometheus as it scrapes endpoints, the first of them being 0. */
export class Prometheus implements Scraper {
  readonly of: Endpoints;
  readonly intervalMs: number;
  readonly #peer: ChildProcess;

  private constructor(peer: ChildProcess, load: Load) {
    this.#peer = peer;
    this.of = load;
    this.intervalMs = load.intervalMs;
  }

  /** Null, with a word on stderr, when it is not installed. */
  static async start(servers: Servers, load: Load, folder: string): Promise<Prometheus | null> {
    if (!existsSync(PROMETHEUS)) {
      console.error(`without Prometheus: ${NO_PROMETHEUS}`);
      return null;
    }
    const data = join(folder, 'prometheus');
    mkdirSync(data, { recursive: true });
    const config = join(data, 'prometheus.yml');
    writeFileSync(config, prometheusConfig(load.endpoints, servers.port, load.intervalMs));
    return new Prometheus(await startPrometheus(config, data, await freePort()), load);
  }

  get pid(): number {
    return this.#peer.pid!;
  }

  async stop(): Promise<void> {
    const ended = once(this.#peer, 'close');
    this.#peer.kill('SIGTERM');
    await ended;
  }
}
