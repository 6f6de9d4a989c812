import { type ChildProcess, spawn } from 'node:child_process';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Path of the Prometheus binary. The default is the path of the Debian package; SERVELENS_PROMETHEUS overrides it. */
export const PROMETHEUS: string = env.SERVELENS_PROMETHEUS ?? '/usr/bin/prometheus';

/** Message that explains how to install Prometheus. */
export const PROMETHEUS_MISSING: string = `${PROMETHEUS} not found; install it with: apt-get install prometheus (or set SERVELENS_PROMETHEUS)`;

/**
 * Formats a configuration that scrapes the endpoints of a body server on 127.0.0.1. Each endpoint has a
 * separate path.
 */
export function formatPrometheusConfig(endpoints: number, port: number, intervalMs: number): string {
  const jobs = Array.from({ length: endpoints }, (_, index) => ({
    job_name: `endpoint-${index}`,
    metrics_path: `/${index}/metrics`,
    static_configs: [{ targets: [`127.0.0.1:${port}`] }],
  }));
  const global = { scrape_interval: `${intervalMs}ms`, scrape_timeout: `${intervalMs}ms` };
  // JSON is valid YAML.
  return JSON.stringify({ global, scrape_configs: jobs });
}

/** Starts Prometheus on a port and waits until it is ready. Throws after 30 s. */
export async function startPrometheus(
  config: string,
  data: string,
  port: number,
  flags: readonly string[] = [],
): Promise<ChildProcess> {
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${data}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-lifecycle',
    '--web.enable-admin-api',
    '--log.level=error',
    ...flags,
  ];
  const child = spawn(PROMETHEUS, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (let attempts = 0; attempts < 300; attempts++) {
    if (child.exitCode !== null) throw new Error(`${PROMETHEUS} exited with code ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => null);
    if (response?.ok) return child;
    await sleep(100);
  }
  child.kill('SIGTERM');
  throw new Error(`${PROMETHEUS} was not ready within 30 s`);
}

/** Sends a POST request to Prometheus. Throws if the response is an error. */
export async function sendPost(url: string): Promise<void> {
  const response = await fetch(url, { method: 'POST' });
  if (!response.ok)
    throw new Error(`Prometheus responded with ${response.status} to POST ${url}: ${await response.text()}`);
}
