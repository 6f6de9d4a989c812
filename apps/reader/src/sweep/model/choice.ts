import type { LatencyLimit } from '@org/analysis/browser';
import { formatValue } from '@org/core';
import type { SelectableMetric, SweepData } from './sweepData.ts';

/** The choices of the reader of the page. */
export interface Choice {
  /** The metric of throughput. */
  readonly throughput: string;
  /** The metric of latency, with its statistic. */
  readonly latency: string;
  readonly limits: readonly LatencyLimit[];
  /** True if the latency axis of the first chart is logarithmic. */
  readonly isLog: boolean;
}

/** The latency to show first. It is the metric that `pareto_optimal` in the export is based on. */
const MAIN_LATENCIES = ['time_to_first_token_p99', 'request_latency_p99'];

/** Returns the choice that the page is written with: requests/s, p99 of the first latency, and the limits of `--goodput`. */
export function createChoice(data: SweepData): Choice {
  const find = (candidates: readonly string[], metrics: readonly SelectableMetric[]): string =>
    candidates.find(candidate => metrics.some(({ metric }) => metric === candidate)) ??
    metrics[0]?.metric ??
    '';
  return {
    throughput: find(['request_throughput_avg'], data.throughputs),
    latency: find(MAIN_LATENCIES, data.latencies),
    limits: listGoodputLimits(data, 'p99'),
    isLog: false,
  };
}

/** Lists the limits of `--goodput` for a statistic, as far as they are latencies. */
export function listGoodputLimits({ goodput, latencies }: SweepData, stat: string): LatencyLimit[] {
  return Object.entries(goodput)
    .map(([tag, value]) => ({ metric: `${tag}_${stat}`, value }))
    .filter(({ metric }) => latencies.some(latency => latency.metric === metric));
}

/** Formats limits as `TTFT p99 ≤ 200 ms and latency p99 ≤ 2 s`. */
export function formatLimits(limits: readonly LatencyLimit[], { latencies }: SweepData): string {
  return limits
    .map(({ metric, value }) => {
      const known = latencies.find(latency => latency.metric === metric);
      return `${known?.short ?? metric} ≤ ${formatValue(value, known?.unit)}`;
    })
    .join(' and ');
}

/** Splits a metric into its tag and its statistic. */
export function splitMetric(metric: string): { readonly tag: string; readonly stat: string } {
  const at = metric.lastIndexOf('_');
  return { tag: metric.slice(0, at), stat: metric.slice(at + 1) };
}
