import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Service, startService } from '../service.ts';

/** Starts Debian's Prometheus, which receives remote write and scrapes nothing. */
export function startPrometheusReceiver(folder: string, program = 'prometheus'): Promise<Service> {
  const config = join(folder, 'receiver.yml');
  writeFileSync(config, '{}');
  return startService(
    program,
    port => [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'received')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
    ],
    '/-/ready',
  );
}

/**
 * Starts Debian's VictoriaMetrics. Its queries include values that were received just now, and its series may have more than
 * 30 labels, which the configuration of vLLM has.
 */
export function startVictoriaMetrics(
  folder: string,
  program = 'victoria-metrics',
  args: readonly string[] = [],
): Promise<Service> {
  return startService(
    program,
    port => [
      `-storageDataPath=${join(folder, 'victoria')}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-search.latencyOffset=0s',
      '-memory.allowedPercent=10',
      '-maxLabelsPerTimeseries=100',
      ...args,
    ],
    '/health',
  );
}
