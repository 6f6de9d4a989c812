import { CLIENT_ENDPOINT, type Run, readStat } from '@org/analysis';
import type { ClientSection, Reconciliation } from './document.ts';

/**
 * The main client metrics, in the order of AIPerf's console output. The table of all series contains the other
 * metrics.
 */
const METRICS = [
  'time_to_first_token',
  'time_to_second_token',
  'request_latency',
  'inter_token_latency',
  'output_token_throughput_per_user',
  'output_sequence_length',
  'input_sequence_length',
  'output_token_throughput',
  'request_throughput',
  'goodput',
  'request_count',
  'error_request_count',
  'cancelled_request_count',
] as const;
const STATS = ['avg', 'min', 'max', 'p50', 'p90', 'p99', 'std'] as const;

/** Builds the section of client metrics. Returns undefined if the run has no profile export. */
export function buildClientSection({ families, profile }: Run): ClientSection | undefined {
  if (!profile) return undefined;
  const metrics = METRICS.flatMap(name => {
    const series = families.get(name)?.series[0];
    if (series?.endpoint !== CLIENT_ENDPOINT) return [];
    const stats = STATS.flatMap((stat): [string, number][] => {
      const value = readStat(series, stat);
      return value === undefined ? [] : [[stat, value]];
    });
    return [{ name, unit: series.unit ?? '', stats: Object.fromEntries(stats) }];
  });
  const reconciliation = (profile as { readonly reconciliation?: unknown }).reconciliation;
  return { metrics, ...(isReconciliation(reconciliation) && { reconciliation }) };
}

/**
 * Reports whether a block has the fields of a reconciliation. Other programs may use the name `reconciliation`
 * for other data.
 */
function isReconciliation(block: unknown): block is Reconciliation {
  if (typeof block !== 'object' || block === null) return false;
  const { server, latencies, findings } = block as Partial<Reconciliation>;
  return typeof server === 'string' && Array.isArray(latencies) && Array.isArray(findings);
}
