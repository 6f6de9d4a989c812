import type { Request } from '../engine/request.ts';
import type { MetricFamily } from '../metrics/registry.ts';
import type { Histogram } from '../metrics/series.ts';
import { vllmRequest } from './buckets.ts';
import { seconds } from './profile.ts';

const TIMES = {
  e2e: ['e2e_request_latency_seconds', 'From arrival to the end of a request, in seconds'],
  queue: ['request_queue_time_seconds', 'Wait before a place in the batch, in seconds'],
  inference: ['request_inference_time_seconds', 'From that place to the last token, in seconds'],
  prefill: ['request_prefill_time_seconds', 'From that place to the first token, in seconds'],
  decode: ['request_decode_time_seconds', 'From the first token to the last, in seconds'],
} as const;

type Times<T> = Readonly<Record<keyof typeof TIMES, T>>;

/** Where the time of a request went, as vLLM has it and TensorRT-LLM after it. `declare` puts the engine's name in front. */
export function declareTimes(
  declare: (name: string, help: string, bounds: readonly number[]) => MetricFamily<Histogram>,
): Times<MetricFamily<Histogram>> {
  const families = Object.entries(TIMES).map(([key, [name, help]]) => [
    key,
    declare(name, help, vllmRequest),
  ]);
  return Object.fromEntries(families) as Times<MetricFamily<Histogram>>;
}

/** Counts a request that has ended. `queuedNs`: since when it waited. Gives the time of its decoding, ns. */
export function observeTimes(request: Request, series: Times<Histogram>, queuedNs: number): number {
  const { arrivalNs, scheduledNs, finishNs } = request;
  const firstNs = request.generated > 0 ? request.firstTokenNs : finishNs;
  series.e2e.observe(seconds(finishNs - arrivalNs));
  series.queue.observe(seconds(scheduledNs - queuedNs));
  series.inference.observe(seconds(finishNs - scheduledNs));
  series.prefill.observe(seconds(firstNs - scheduledNs));
  series.decode.observe(seconds(finishNs - firstNs));
  return finishNs - firstNs;
}
