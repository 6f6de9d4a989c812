import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Service, startService } from '../service.ts';

/** Starts Debian's VictoriaMetrics, which scrapes the targets (host and port by job) every second. */
export function startVictoriaMetrics(
  folder: string,
  targets: Readonly<Record<string, string>>,
  program = 'victoria-metrics',
): Promise<Service> {
  const config = join(folder, 'victoria-metrics.json');
  const jobs = Object.entries(targets).map(([job_name, target]) => ({
    job_name,
    static_configs: [{ targets: [target] }],
  }));
  writeFileSync(
    config,
    JSON.stringify({ global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: jobs }),
  );
  return startService(
    program,
    port => [
      `-promscrape.config=${config}`,
      `-storageDataPath=${join(folder, 'victoria-metrics')}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      // Returns samples at once, instead of 30 s later.
      '-search.latencyOffset=0s',
    ],
    '/health',
  );
}
