import type { Request } from '../engine/request.ts';
import type { MetricFamily } from '../metrics/registry.ts';
import type { Histogram } from '../metrics/series.ts';
import { VLLM_REQUEST_BOUNDS } from './bucketBounds.ts';
import { toSeconds } from './profile.ts';

const PHASES = {
  e2e: ['e2e_request_latency_seconds', 'Time from arrival to the end of a request in seconds'],
  queue: ['request_queue_time_seconds', 'Queue time of a request in seconds'],
  inference: ['request_inference_time_seconds', 'Time from admission to the last token in seconds'],
  prefill: ['request_prefill_time_seconds', 'Time from admission to the first token in seconds'],
  decode: ['request_decode_time_seconds', 'Time from the first to the last token in seconds'],
} as const;

type PhaseRecord<T> = Readonly<Record<keyof typeof PHASES, T>>;

/**
 * Declares the histograms of the phases of a request, which vLLM and TensorRT-LLM share. `declare` adds the
 * prefix of the engine.
 */
export function declareDurations(
  declare: (name: string, help: string, bounds: readonly number[]) => MetricFamily<Histogram>,
): PhaseRecord<MetricFamily<Histogram>> {
  const families = Object.entries(PHASES).map(([key, [name, help]]) => [
    key,
    declare(name, help, VLLM_REQUEST_BOUNDS),
  ]);
  return Object.fromEntries(families) as PhaseRecord<MetricFamily<Histogram>>;
}

/** Counts a request that has ended. Returns the duration of its decode phase, ns. */
export function observeDurations(request: Request, series: PhaseRecord<Histogram>, queuedNs: number): number {
  const { arrivalNs, scheduledNs, finishNs } = request;
  const firstNs = request.generated > 0 ? request.firstTokenNs : finishNs;
  series.e2e.observe(toSeconds(finishNs - arrivalNs));
  series.queue.observe(toSeconds(scheduledNs - queuedNs));
  series.inference.observe(toSeconds(finishNs - scheduledNs));
  series.prefill.observe(toSeconds(firstNs - scheduledNs));
  series.decode.observe(toSeconds(finishNs - firstNs));
  return finishNs - firstNs;
}
