import type { ServerMetricsDocument } from '@org/formats';
import type { ClientSide } from '../../src/reconciliation/reconciledCounts.ts';

export const A = 'http://a:1/metrics';
export const B = 'http://b:2/metrics';
export const C = 'http://c:3/metrics';

/** Creates a vLLM document with completed requests by endpoint, aborted requests, and tokens. */
export function createDocument(
  completed: Record<string, number>,
  more: { aborted?: number; tokens?: number; resets?: number } = {},
): ServerMetricsDocument {
  const { aborted = 0, tokens, resets } = more;
  const series = Object.entries(completed).map(([endpoint_url, total]) => ({
    endpoint_url,
    labels: { finished_reason: 'stop' },
    stats: { total, rate: 0, ...(resets === undefined ? {} : { resets, increase: total }) },
  }));
  const dropped = {
    endpoint_url: A,
    labels: { finished_reason: 'abort' },
    stats: { total: aborted, rate: 0 },
  };
  const generated = { endpoint_url: A, stats: { total: tokens ?? 0, rate: 0 } };
  return {
    schema_version: '1.0',
    metrics: {
      'vllm:request_success': {
        type: 'counter',
        description: '',
        unit: 'requests',
        series: [...series, dropped],
      },
      ...(tokens === undefined
        ? {}
        : {
            'vllm:generation_tokens': {
              type: 'counter',
              description: '',
              unit: 'tokens',
              series: [generated],
            },
          }),
    },
  } as unknown as ServerMetricsDocument;
}

/** Creates the client's side of ten successful requests. */
export function createClient(more: Partial<ClientSide> = {}): ClientSide {
  return {
    blocks: {},
    succeeded: 10,
    failed: 0,
    cancelled: 0,
    warmupCutOff: 0,
    tokenizer: 'o200k_base',
    ...more,
  };
}
