import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env, execPath } from 'node:process';
import { findFreePort } from '../bodies/bodyServer.ts';
import { readProcessUsage } from '../measure/processUsage.ts';
import {
  formatPrometheusConfig,
  PROMETHEUS,
  PROMETHEUS_MISSING,
  startPrometheus,
} from '../peers/prometheus.ts';
import type { EndpointRange } from './bodyServerProcess.ts';
import type { BodyServers } from './bodyServers.ts';
import { type Scraper, toTotalSeconds } from './costWindow.ts';

/** The endpoints of a measurement, with the scrape interval in milliseconds and the duration in seconds. */
export interface ScrapeLoad extends EndpointRange {
  readonly intervalMs: number;
  readonly seconds: number;
}

/** Path of the built `servelens` command. */
const CLI = resolve(import.meta.dirname, '../../../apps/cli/bin/servelens.js');

/** Time reserved before the warm-up to probe the endpoints and scrape them for the first time, in seconds. */
export const STARTUP_S: number = 20;
const PEAK_POLL_MS = 200;

/** Figures that are available only after a run of Servelens has ended. */
export interface RunEnd {
  /** Peak memory of the process in MB, including the exports. */
  readonly peakRssWithExportsMb: number;
  readonly failedScrapes: number;
  readonly lateScrapes: number;
}

/** A run of `servelens collect`, with journal and all exports. */
export class ServelensScraper implements Scraper {
  readonly range: EndpointRange;
  readonly intervalMs: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #artifacts: string;

  constructor(servers: BodyServers, load: ScrapeLoad, folder: string) {
    this.range = load;
    this.intervalMs = load.intervalMs;
    this.#artifacts = join(folder, `servelens-${load.intervalMs}`);
    const urls = Array.from({ length: load.endpoints }, (_, index) =>
      servers.formatUrl(load.firstEndpoint + index),
    );
    const duration = toTotalSeconds(load.seconds) + STARTUP_S;
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

  /** Stops the run and waits until its exports are written. */
  async finish(): Promise<RunEnd> {
    this.#child.kill('SIGINT');
    const peakRssWithExportsMb = await pollPeakUntil(this.#child, this.#ended);
    return { peakRssWithExportsMb, ...readScrapeCounts(this.#artifacts) };
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Waits until a process exits, and returns its peak memory in MB. */
async function pollPeakUntil(child: ChildProcess, ended: Promise<unknown>): Promise<number> {
  let peak = 0;
  const poll = setInterval(() => {
    try {
      peak = Math.max(peak, readProcessUsage(child.pid!).peakRssMb);
    } catch {
      // The process has just exited.
    }
  }, PEAK_POLL_MS);
  await ended;
  clearInterval(poll);
  return peak;
}

function readScrapeCounts(artifacts: string): { failedScrapes: number; lateScrapes: number } {
  const file = join(artifacts, 'server_metrics_export.json');
  const { summary } = JSON.parse(readFileSync(file, 'utf8')) as {
    summary: { endpoint_info: Record<string, { scrapes_failed?: number; scrapes_late?: number }> };
  };
  const infos = Object.values(summary.endpoint_info);
  const sum = (count: (info: (typeof infos)[number]) => number | undefined) =>
    infos.reduce((total, info) => total + (count(info) ?? 0), 0);
  return { failedScrapes: sum(info => info.scrapes_failed), lateScrapes: sum(info => info.scrapes_late) };
}

/** A run of Prometheus, which scrapes `load.endpoints` endpoints, starting with number 0. */
export class PrometheusScraper implements Scraper {
  readonly range: EndpointRange;
  readonly intervalMs: number;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, load: ScrapeLoad) {
    this.#child = child;
    this.range = load;
    this.intervalMs = load.intervalMs;
  }

  /** Starts Prometheus. If Prometheus is not installed, prints a note to stderr and returns null. */
  static async start(
    servers: BodyServers,
    load: ScrapeLoad,
    folder: string,
  ): Promise<PrometheusScraper | null> {
    if (!existsSync(PROMETHEUS)) {
      console.error(`skipping Prometheus: ${PROMETHEUS_MISSING}`);
      return null;
    }
    const data = join(folder, 'prometheus');
    mkdirSync(data, { recursive: true });
    const config = join(data, 'prometheus.yml');
    writeFileSync(config, formatPrometheusConfig(load.endpoints, servers.port, load.intervalMs));
    return new PrometheusScraper(await startPrometheus(config, data, await findFreePort()), load);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
