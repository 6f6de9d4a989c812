import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Service, startService } from '../service.ts';

/** Starts Debian's node exporter. */
export function startNodeExporter(): Promise<Service> {
  return startService(
    'prometheus-node-exporter',
    port => [`--web.listen-address=127.0.0.1:${port}`],
    '/metrics',
  );
}

/**
 * Starts Prometheus, which scrapes itself and the targets (host and port, and optionally a path, by job) every second.
 */
export function startPrometheus(
  folder: string,
  targets: Readonly<Record<string, string>>,
  program = 'prometheus',
): Promise<Service> {
  return startService(
    program,
    port => {
      const config = join(folder, 'prometheus.yml');
      writeFileSync(config, formatConfiguration({ prometheus: `127.0.0.1:${port}`, ...targets }));
      return [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ];
    },
    '/-/ready',
  );
}

/** Formats the configuration as JSON, which is valid YAML. */
function formatConfiguration(targets: Readonly<Record<string, string>>): string {
  const jobs = Object.entries(targets).map(([job_name, target]) => {
    const { host, pathname } = new URL(`http://${target}`);
    return {
      job_name,
      metrics_path: pathname === '/' ? '/metrics' : pathname,
      static_configs: [{ targets: [host] }],
    };
  });
  return JSON.stringify({ global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: jobs });
}

/** A series of a query result: labels, and samples as [Unix time in seconds, value as text]. */
export interface QueryResult {
  readonly metric: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [number, string])[];
}

/** Queries a Prometheus server at a Unix time in seconds. */
export async function queryPrometheus(url: string, query: string, time: number): Promise<QueryResult[]> {
  const body = new URLSearchParams({ query, time: String(time) });
  const response = await fetch(`${url}/api/v1/query`, { method: 'POST', body });
  const result = (await response.json()) as {
    readonly status: string;
    readonly error?: string;
    readonly data: { readonly result: readonly Result[] };
  };
  if (result.status !== 'success') throw new Error(`Prometheus query ${query} failed: ${result.error}`);
  return result.data.result.map(({ metric, value, values }) => ({ metric, samples: values ?? [value!] }));
}

interface Result {
  readonly metric: Readonly<Record<string, string>>;
  /** Sample of an instant vector. */
  readonly value?: readonly [number, string];
  /** Samples of a range vector. */
  readonly values?: readonly (readonly [number, string])[];
}
