import type { Request } from '../engine/request.ts';
import type { MetricFamily } from '../metrics/registry.ts';
import type { Histogram } from '../metrics/series.ts';
import { VLLM_REQUEST_BOUNDS } from './bucketBounds.ts';
import { toSeconds } from './profile.ts';

/** Names and HELP texts of the histograms, by phase. */
const PHASES = {
  e2e: ['e2e_request_latency_seconds', 'Time from arrival to the end of a request in seconds'],
  queue: ['request_queue_time_seconds', 'Queue time of a request in seconds'],
  inference: ['request_inference_time_seconds', 'Time from admission to the last token in seconds'],
  prefill: ['request_prefill_time_seconds', 'Time from admission to the first token in seconds'],
  decode: ['request_decode_time_seconds', 'Time from the first to the last token in seconds'],
} as const;

type PhaseRecord<T> = Readonly<Record<keyof typeof PHASES, T>>;

/**
 * Declares the histograms of the phases of a request, which vLLM and TensorRT-LLM share. `declare`
 * declares a family, adding the server's prefix to its name.
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

/**
 * Records the durations of a request that has ended. `queuedNs` is the start of its queue time. Returns the
 * duration of its decode phase, in ns.
 */
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
