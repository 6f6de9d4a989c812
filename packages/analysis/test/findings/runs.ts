import { type Finding, type FindingOptions, findFindings } from '../../src/index.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { counter, document, gauge, healthyInfo, metric, URL_A } from '../documents.ts';

export type Metrics = Parameters<typeof document>[0];
type Infos = Parameters<typeof document>[1];

/** Finds the findings of a run with these metrics and entries of endpoints. */
export function findIn(
  metrics: Metrics,
  infos: Infos = { [URL_A]: healthyInfo },
  options: FindingOptions = {},
  summary: object = {},
): Finding[] {
  return findFindings(createRunFromView(document(metrics, infos, summary)), options);
}

/** Finds one finding of a run by its ID. */
export function findById(id: string, metrics: Metrics, infos?: Infos): Finding | undefined {
  return findIn(metrics, infos).find(finding => finding.id === id);
}

/** Creates gauges of one series each. */
export function createGauges(series: Readonly<Record<string, object>>): Metrics {
  return Object.fromEntries(Object.entries(series).map(([name, entry]) => [name, metric('gauge', [entry])]));
}

/** The metrics of a run without findings. */
export const HEALTHY_METRICS: Metrics = {
  ...createGauges({
    'vllm:num_requests_running': gauge(20, { slices: [19, 20, 21, 20, 20, 20] }),
    'vllm:num_requests_waiting': gauge(0, { slices: [0, 0, 0, 0, 0, 0] }),
    'vllm:kv_cache_usage_perc': gauge(0.4),
  }),
  'vllm:num_preemptions': metric('counter', [counter(0)]),
  'vllm:generation_tokens': metric('counter', [counter(4000, { slices: [200, 200, 200] })]),
};
