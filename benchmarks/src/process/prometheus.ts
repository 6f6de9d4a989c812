import { type ChildProcess, spawn } from 'node:child_process';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Debian's package prometheus; another by SERVELENS_PROMETHEUS. */
export const PROMETHEUS: string = env.SERVELENS_PROMETHEUS ?? '/usr/bin/prometheus';

/** What to say where it is not installed. */
export const NO_PROMETHEUS: string = `${PROMETHEUS} is not there: apt-get install prometheus (SERVELENS_PROMETHEUS names another)`;

/** Has so many endpoints of a body server on 127.0.0.1 scraped, each at its own path. */
export function prometheusConfig(endpoints: number, port: number, intervalMs: number): string {
  const jobs = Array.from({ length: endpoints }, (_, index) => ({
    job_name: `endpoint-${index}`,
    metrics_path: `/${index}/metrics`,
    static_configs: [{ targets: [`127.0.0.1:${port}`] }],
  }));
  const global = { scrape_interval: `${intervalMs}ms`, scrape_timeout: `${intervalMs}ms` };
  // JSON is YAML.
  return JSON.stringify({ global, scrape_configs: jobs });
}

/** Starts Prometheus on a port and waits until it is ready. Throws when it does not get so within 30 s. */
export async function startPrometheus(config: string, data: string, port: number): Promise<ChildProcess> {
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${data}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-lifecycle',
    '--web.enable-admin-api',
    '--log.level=error',
  ];
  const peer = spawn(PROMETHEUS, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (let tries = 0; tries < 300; tries++) {
    if (peer.exitCode !== null) throw new Error(`${PROMETHEUS} ended with status ${peer.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => null);
    if (answer?.ok) return peer;
    await sleep(100);
  }
  peer.kill('SIGTERM');
  throw new Error(`${PROMETHEUS} did not get ready within 30 s`);
}

/** Throws when Prometheus does not do what it is asked to. */
export async function posted(url: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST' });
  if (!answer.ok)
    throw new Error(`Prometheus answered ${answer.status} to POST ${url}: ${await answer.text()}`);
}
