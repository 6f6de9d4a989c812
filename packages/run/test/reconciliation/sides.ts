import type { ServerMetricsDocument } from '@org/formats';
import { OpenRequests } from '../../src/reconciliation/openRequests.ts';
import type { ClientSide } from '../../src/reconciliation/reconciledCounts.ts';

export const A = 'http://a:1/metrics';
export const B = 'http://b:2/metrics';
export const C = 'http://c:3/metrics';

const START_NS = 1_795_254_800_000_000_000n;

/** Returns the time of an event, in seconds since the start of profiling, which ends after 150 s. */
export const at = (seconds: number): bigint => START_NS + BigInt(Math.round(seconds * 1e9));

/**
 * Creates the server metrics of vLLM servers. `completed` contains the number of completed requests by endpoint
 * URL.
 */
export function createDocument(
  completed: Record<string, number>,
  counts: { aborted?: number; tokens?: number; resets?: number; infos?: Record<string, object> } = {},
): ServerMetricsDocument {
  const { aborted = 0, tokens, resets, infos = {} } = counts;
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
    summary: { profiling_start_ns: at(0), profiling_end_ns: at(150), endpoint_info: infos },
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

/** Creates the client's side of a reconciliation, with ten successful requests that end after 5 s, 10 s, ..., 50 s. */
export function createClient(changes: Partial<ClientSide> = {}): ClientSide {
  const open = new OpenRequests();
  for (let end = 5; end <= 50; end += 5) open.add(0, end * 1e9);
  return {
    blocks: {},
    succeeded: 10,
    failed: 0,
    cancelled: 0,
    warmupCutOff: 0,
    tokenizer: 'o200k_base',
    requests: { open, originNs: START_NS },
    ...changes,
  };
}
