import { type Finding, type FindingOptions, findFindings } from '../../src/index.ts';
import { createRunFromView } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  URL_A,
} from '../documents.ts';

export type Metrics = Parameters<typeof createDocument>[0];
type Infos = Parameters<typeof createDocument>[1];

/** Returns the findings of a run with these metrics and endpoint entries. */
export function findIn(
  metrics: Metrics,
  infos: Infos = { [URL_A]: healthyInfo },
  options: FindingOptions = {},
  summary: object = {},
): Finding[] {
  return findFindings(createRunFromView(createDocument(metrics, infos, summary)), options);
}

/** Returns the finding with this ID; undefined if the run has none. */
export function findById(id: string, metrics: Metrics, infos?: Infos): Finding | undefined {
  return findIn(metrics, infos).find(finding => finding.id === id);
}

/** Creates gauges of one series each. */
export function createGauges(series: Readonly<Record<string, object>>): Metrics {
  return Object.fromEntries(
    Object.entries(series).map(([name, entry]) => [name, createMetric('gauge', [entry])]),
  );
}

/** The metrics of a run without findings. */
export const HEALTHY_METRICS: Metrics = {
  ...createGauges({
    'vllm:num_requests_running': createGauge(20, { slices: [19, 20, 21, 20, 20, 20] }),
    'vllm:num_requests_waiting': createGauge(0, { slices: [0, 0, 0, 0, 0, 0] }),
    'vllm:kv_cache_usage_perc': createGauge(0.4),
  }),
  'vllm:num_preemptions': createMetric('counter', [createCounter(0)]),
  'vllm:generation_tokens': createMetric('counter', [createCounter(4000, { slices: [200, 200, 200] })]),
};
