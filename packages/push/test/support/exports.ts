import type { EndedRun } from '../../src/endedRun.ts';

/** Creates the exports of a small run. */
export function createExports(): EndedRun {
  return {
    profile: {
      schema_version: '1.4',
      request_latency: { unit: 'ms', avg: 120, p99: 250 },
    } as unknown as NonNullable<EndedRun['profile']>,
    serverMetrics: {
      schema_version: '1.1',
      metrics: {
        queue: {
          type: 'gauge',
          description: 'Queue',
          unit: null,
          series: [
            {
              endpoint_url: 'http://localhost:8000/metrics',
              labels: { metric: 'x', engine: '0' },
              stats: { avg: 3, max: 5 },
            },
          ],
        },
      },
    } as unknown as NonNullable<EndedRun['serverMetrics']>,
  };
}
