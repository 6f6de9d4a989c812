import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env, execPath } from 'node:process';
import { type ProcessUsage, readProcessUsage } from '../measure/processUsage.ts';

/** Path of the built `servelens` command. */
export const CLI: string = resolve(import.meta.dirname, '../../../apps/cli/bin/servelens.js');

/** Time limit of a collector in seconds. The benchmark ends it before. */
const MAX_SECONDS = 3600;

/** Timeout of a scrape in seconds, so that the first scrapes of all endpoints succeed on a busy machine. */
const TIMEOUT_S = 60;

/** One of the collectors, and the file that lists the endpoints of all of them. */
export interface ShardOptions {
  readonly folder: string;
  readonly list: string;
  readonly index: number;
  readonly count: number;
  readonly intervalS: number;
}

/** The endpoints and their figures in the export of a shard. */
export interface ShardCounts {
  readonly endpoints: number;
  readonly failed: number;
  readonly late: number;
}

/** A run of `servelens collect --shard I/N` in a separate process. */
export class ShardCollector {
  /** Folder of the run. */
  readonly artifacts: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor({ folder, list, index, count, intervalS }: ShardOptions) {
    this.artifacts = join(folder, `shard-${index}`);
    const args = [
      ...['collect', '--quiet', '--no-gpu-telemetry', '--duration', `${MAX_SECONDS}`],
      ...['--server-metrics-source', `file_sd:${list}`, '--shard', `${index}/${count}`],
      ...['--artifact-dir', this.artifacts],
    ];
    this.#child = spawn(execPath, [CLI, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...env,
        AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: `${intervalS}`,
        AIPERF_SERVER_METRICS_REACHABILITY_TIMEOUT: `${TIMEOUT_S}`,
      },
    });
    this.#ended = once(this.#child, 'close');
  }

  readUsage(): ProcessUsage {
    return readProcessUsage(this.#child.pid!);
  }

  /** Ends the run, and waits until its exports are written. */
  async finish(): Promise<void> {
    this.#child.kill('SIGINT');
    await this.#ended;
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  readCounts(): ShardCounts {
    const file = join(this.artifacts, 'server_metrics_export.json');
    const { summary } = JSON.parse(readFileSync(file, 'utf8')) as {
      summary: { endpoint_info: Record<string, { scrapes_failed?: number; scrapes_late?: number }> };
    };
    const infos = Object.values(summary.endpoint_info);
    const count = (name: 'scrapes_failed' | 'scrapes_late'): number =>
      infos.reduce((total, info) => total + (info[name] ?? 0), 0);
    return { endpoints: infos.length, failed: count('scrapes_failed'), late: count('scrapes_late') };
  }
}
