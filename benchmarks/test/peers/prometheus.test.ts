import { expect, test } from 'vitest';
import { formatPrometheusConfig } from '../../src/peers/prometheus.ts';

test('configures one job per endpoint', () => {
  const config = JSON.parse(formatPrometheusConfig(2, 8000, 333));
  expect(config.global).toEqual({ scrape_interval: '333ms', scrape_timeout: '333ms' });
  expect(config.scrape_configs).toEqual([
    { job_name: 'endpoint-0', metrics_path: '/0/metrics', static_configs: [{ targets: ['127.0.0.1:8000'] }] },
    { job_name: 'endpoint-1', metrics_path: '/1/metrics', static_configs: [{ targets: ['127.0.0.1:8000'] }] },
  ]);
});
