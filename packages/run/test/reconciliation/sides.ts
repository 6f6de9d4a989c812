import type { ServerMetricsDocument } from '@org/formats';
import type { ClientSide } from '../../src/reconciliation/reconciledCounts.ts';

export const A = 'http://a:1/metrics';
export const B = 'http://b:2/metrics';
export const C = 'http://c:3/metrics';

/**
 * Creates the server metrics of vLLM servers. `completed` contains the number of completed requests by endpoint
 * URL.
 */
export function createDocument(
  completed: Record<string, number>,
  counts: { aborted?: number; tokens?: number; resets?: number } = {},
): ServerMetricsDocument {
  const { aborted = 0, tokens, resets } = counts;
  const series = Object.entries(completed).map(([endpoint_url, total]) => ({
    endpoint_url,
    labels: { finished_reason: 'stop' },
    stats: { total, rate: 0, ...(resets === undefined ? {} : { resets, increase: total }) },
  }));
  const abortedSeries = {
    endpoint_url: A,
    labels: { finished_reason: 'abort' },
    stats: { total: aborted, rate: 0 },
  };
  const generatedSeries = { endpoint_url: A, stats: { total: tokens ?? 0, rate: 0 } };
  return {
    schema_version: '1.0',
    metrics: {
      'vllm:request_success': {
        type: 'counter',
        description: '',
        unit: 'requests',
        series: [...series, abortedSeries],
      },
      ...(tokens === undefined
        ? {}
        : {
            'vllm:generation_tokens': {
              type: 'counter',
              description: '',
              unit: 'tokens',
              series: [generatedSeries],
            },
          }),
    },
  } as unknown as ServerMetricsDocument;
}

/** Creates the client's side of a reconciliation, with ten successful requests. */
export function createClient(changes: Partial<ClientSide> = {}): ClientSide {
  return {
    blocks: {},
    succeeded: 10,
    failed: 0,
    cancelled: 0,
    warmupCutOff: 0,
    tokenizer: 'o200k_base',
    ...changes,
  };
}
